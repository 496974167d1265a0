startup	time=1795450106373633607
experiment	selected=/home/user/tests/programs/bench_causal.cpp:61	speedup=0.00	duration=507702875	selected-samples=35
throughput-point	name=round	delta=20
experiment	selected=/home/user/tests/programs/bench_causal.cpp:61	speedup=0.80	duration=468810120	selected-samples=39
throughput-point	name=round	delta=23
experiment	selected=/home/user/tests/programs/bench_causal.cpp:67	speedup=0.35	duration=457105804	selected-samples=134
throughput-point	name=round	delta=23
experiment	selected=/home/user/tests/programs/bench_causal.cpp:67	speedup=0.40	duration=444897450	selected-samples=138
throughput-point	name=round	delta=24
experiment	selected=/home/user/tests/programs/bench_causal.cpp:73	speedup=0.00	duration=503627834	selected-samples=48
throughput-point	name=round	delta=22
experiment	selected=/home/user/tests/programs/bench_causal.cpp:85	speedup=0.00	duration=502210994	selected-samples=79
throughput-point	name=round	delta=26
experiment	selected=/home/user/tests/programs/bench_causal.cpp:85	speedup=0.95	duration=499377427	selected-samples=4
throughput-point	name=round	delta=1
runtime	time=3623079452
samples	location=/home/user/tests/programs/bench_causal.cpp:61	count=252
samples	location=/home/user/tests/programs/bench_causal.cpp:67	count=841
samples	location=/home/user/tests/programs/bench_causal.cpp:73	count=360
samples	location=/home/user/tests/programs/bench_causal.cpp:79	count=177
samples	location=/home/user/tests/programs/bench_causal.cpp:85	count=431
