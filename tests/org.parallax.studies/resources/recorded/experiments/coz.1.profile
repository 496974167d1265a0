startup	time=1795450122171870454
experiment	selected=/home/user/tests/programs/bench_causal.cpp:61	speedup=0.85	duration=475009101	selected-samples=35
throughput-point	name=round	delta=23
experiment	selected=/home/user/tests/programs/bench_causal.cpp:67	speedup=0.50	duration=445035921	selected-samples=112
throughput-point	name=round	delta=20
experiment	selected=/home/user/tests/programs/bench_causal.cpp:67	speedup=0.05	duration=493115215	selected-samples=126
throughput-point	name=round	delta=21
experiment	selected=/home/user/tests/programs/bench_causal.cpp:73	speedup=0.20	duration=492369630	selected-samples=47
throughput-point	name=round	delta=20
experiment	selected=/home/user/tests/programs/bench_causal.cpp:73	speedup=0.20	duration=487718256	selected-samples=59
throughput-point	name=round	delta=22
experiment	selected=/home/user/tests/programs/bench_causal.cpp:61	speedup=0.00	duration=502045013	selected-samples=32
throughput-point	name=round	delta=20
experiment	selected=/home/user/tests/programs/bench_causal.cpp:85	speedup=0.10	duration=495086080	selected-samples=33
throughput-point	name=round	delta=10
runtime	time=3645940976
samples	location=/home/user/tests/programs/bench_causal.cpp:61	count=234
samples	location=/home/user/tests/programs/bench_causal.cpp:67	count=840
samples	location=/home/user/tests/programs/bench_causal.cpp:73	count=354
samples	location=/home/user/tests/programs/bench_causal.cpp:79	count=199
samples	location=/home/user/tests/programs/bench_causal.cpp:85	count=434
samples	location=/home/user/tests/programs/bench_causal.cpp:92	count=1
