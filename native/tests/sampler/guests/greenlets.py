"""Five greenlets, whose stacks are copied away and back, with intercepted calls at many depths and
C frames in between."""
import random
import sys
import threading

import greenlet

lock = threading.Lock()
sys.setrecursionlimit(20000)


def locked():
    with lock:
        return 1


def deep(n, innermost):
    if n == 0:
        return innermost()
    return sorted([n], key=lambda x: deep(n - 1, innermost))[0]


def body(k):
    def step():
        locked()
        greenlet.getcurrent().parent.switch(k)
        return locked()

    return 'done', sum(deep(10 + k + i, step) for i in range(20))


random.seed(1)
greenlets = [greenlet.greenlet(body) for _ in range(5)]
started, left, results = set(), list(range(5)), []
while left:
    k = random.choice(left)
    result = greenlets[k].switch() if k in started else greenlets[k].switch(k)
    started.add(k)
    deep(random.randrange(30), locked)
    if isinstance(result, tuple):
        results.append((k, result[1]))
        left.remove(k)
print(sorted(results))
