"""Results of statsmodels for the tests: python3 golden.py (statsmodels 0.14 or newer, scipy, pandas).

For each case NAME-data.csv has the trials and NAME-effects.csv what statsmodels makes of them;
effects are twice the coefficients. Tests only read the files."""
import itertools
import numpy as np
import pandas as pd
import statsmodels.api as sm
import statsmodels.formula.api as smf
from scipy import stats
from statsmodels.stats.multitest import multipletests

rng = np.random.default_rng(1992)
FACTORS = "abcdefg"


def trials(settings, replicates, blocked, drop, response):
    rows = []
    for replicate in range(replicates):
        for run in rng.permutation(len(settings)):
            rows.append(dict(run=run, replicate=replicate, block=replicate if blocked else 0,
                             **dict(zip(FACTORS, settings[run]))))
    frame = pd.DataFrame(rows)
    frame["value"] = np.round([response(row) for _, row in frame.iterrows()], 6)
    frame = frame.drop(index=drop).reset_index(drop=True)
    frame.insert(3, "position", frame.index)
    return frame


def interactions(frame, factors, order):
    terms = []
    for size in range(1, order + 1):
        for term in itertools.combinations(factors, size):
            name = "_".join(term)
            frame[name] = frame[list(term)].prod(axis=1)
            terms.append(name)
    return terms


def effects(name, frame, terms, blocked, curvature=False):
    """The terms' residual is the pure error when they take all differences between the runs."""
    data = frame.copy()
    frame[[c for c in frame.columns if "_" not in c]].to_csv(name + "-data.csv", index=False)
    formula = "value ~ " + ("C(block, Sum) + " if blocked else "")
    if curvature:
        data["centre"] = (data["a"] == 0).astype(int)
        formula += "centre + "
    fit = smf.ols(formula + " + ".join(terms), data).fit()
    bounds = fit.conf_int(0.05)
    sequential = sm.stats.anova_lm(fit, typ=1)
    marginal = sm.stats.anova_lm(fit, typ=3)
    p = fit.pvalues[terms]
    holm = multipletests(p, method="holm")[1]
    bh = multipletests(p, method="fdr_bh")[1]
    rows = [dict(name="mean", estimate=fit.params["Intercept"], error=fit.bse["Intercept"],
                 df=fit.df_resid)]
    if curvature:
        rows.append(dict(name="curvature", estimate=fit.params["centre"], error=fit.bse["centre"],
                         t=fit.tvalues["centre"], p=fit.pvalues["centre"]))
    for i, term in enumerate(terms):
        ranks = stats.rankdata(np.round(fit.resid + fit.params[term] * data[term], 9))
        data["ranks"] = ranks
        aligned = smf.ols(formula.replace("value", "ranks") + " + ".join(terms), data).fit()
        rows.append(dict(name=term.replace("_", "&"), estimate=2 * fit.params[term],
                         error=2 * fit.bse[term], df=fit.df_resid, t=fit.tvalues[term], p=p[term],
                         low=2 * bounds[0][term], high=2 * bounds[1][term], holm=holm[i],
                         bh=bh[i], sequential=sequential["sum_sq"][term],
                         marginal=marginal["sum_sq"][term], rankP=aligned.pvalues[term]))
    pd.DataFrame(rows).to_csv(name + "-effects.csv", index=False)


full = lambda factors: [s[::-1] for s in itertools.product([-1, 1], repeat=factors)]

# 2^(4-1), D = ABC, three blocks of which five trials are missing: unbalanced.
half = [s + (s[0] * s[1] * s[2],) for s in full(3)]
frame = trials(half, 3, True, [2, 7, 11, 12, 21], lambda row: 100 + 4 * row.a - 2 * row.b
               + 1.5 * row.a * row.b + 3 * row.block + rng.normal(0, 1))
effects("unbalanced", frame, interactions(frame, "abcd", 1) + interactions(frame, "abc", 2)[3:],
        True)

# Plackett-Burman, twelve runs, seven factors, once: what the main effects leave.
first = [1, 1, -1, 1, 1, 1, -1, -1, -1, 1, -1]
burman = [tuple(np.roll(first, i)[:7]) for i in range(11)] + [(-1,) * 7]
frame = trials(burman, 1, False, [], lambda row: 50 + 5 * row.a - 3 * row.e + rng.normal(0, 1))
effects("burman", frame, interactions(frame, FACTORS, 1), False)

# 2^3 twice with four centre points each, curved.
frame = trials(full(3) + [(0, 0, 0)] * 4, 2, False, [], lambda row: 20 + 2 * row.a + row.b
               + 3 * row.a * row.a + rng.normal(0, 0.5))
frame["run"] = frame["run"].clip(upper=8)
effects("centre", frame, interactions(frame, "abc", 3), False, curvature=True)

# OA25(5^6) twice: a one-way analysis for each factor.
array = [(a, b, (a + b) % 5, (a + 2 * b) % 5, (a + 3 * b) % 5, (a + 4 * b) % 5)
         for a in range(5) for b in range(5)]
frame = trials(array, 2, True, [], lambda row: 60 - 4 * np.sqrt(row.a) + (row.c - 2) ** 2
               + row.block + rng.normal(0, 1))
frame.to_csv("array-data.csv", index=False)
fit = smf.ols("value ~ C(block) + " + " + ".join(f"C({f})" for f in "abcdef"), frame).fit()
table = sm.stats.anova_lm(fit, typ=1)
pure = smf.ols("value ~ C(block) + C(run)", frame).fit()
mean_square = pure.ssr / pure.df_resid
rows = [dict(name="pure error", squares=pure.ssr, df=pure.df_resid),
        dict(name="lack of fit", squares=fit.ssr - pure.ssr, df=fit.df_resid - pure.df_resid)]
for source in table.index[:-1]:
    squares, df = table["sum_sq"][source], table["df"][source]
    f = squares / df / mean_square
    rows.append(dict(name=source[2], squares=squares, df=df, f=f,
                     p=stats.f.sf(f, df, pure.df_resid)))
rows[2]["name"] = "blocks"
pd.DataFrame(rows).to_csv("array-anova.csv", index=False)

