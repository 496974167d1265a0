# Threads, locks, queues, subprocesses, forks, sockets, signals.
import asyncio
import multiprocessing
import os
import queue
import signal
import socket
import subprocess
import threading


def threads():
    work, done = queue.Queue(8), []
    lock = threading.Lock()

    def serve():
        while (item := work.get()) is not None:
            with lock:
                done.append(item * item)

    pool = [threading.Thread(target=serve) for _ in range(4)]
    for thread in pool:
        thread.start()
    for i in range(500):
        work.put(i)
    for _ in pool:
        work.put(None)
    for thread in pool:
        thread.join()
    print("threads", sum(done))


def processes():
    for i in range(3):
        result = subprocess.run(["sh", "-c", f"cat; exit {i}"], input=b"text", capture_output=True)
        print("subprocess", result.returncode, result.stdout)
    sort = subprocess.Popen(["sort", "-n"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    print("pipe", sort.communicate("\n".join(map(str, range(999, 0, -1))).encode())[0][:8])
    killed = subprocess.Popen(["sleep", "60"])
    killed.terminate()
    print("killed", killed.wait())
    pid = os.fork()
    if pid == 0:
        os._exit(7)
    print("fork", os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))


def square(x):
    return x * x


def pools():
    for method in ("fork", "spawn"):
        with multiprocessing.get_context(method).Pool(2) as pool:
            print(method, sum(pool.map(square, range(200))))


def signals():
    seen = []
    signal.signal(signal.SIGPROF, lambda *_: seen.append("prof"))
    signal.signal(signal.SIGALRM, lambda *_: seen.append("alarm"))
    signal.setitimer(signal.ITIMER_PROF, 0.01)
    signal.setitimer(signal.ITIMER_REAL, 0.02)
    while len(seen) < 2:
        sum(range(1000))
    print("signals", sorted(seen))


async def echo():
    async def serve(reader, writer):
        writer.write(await reader.readexactly(5))
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    for _ in range(20):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"hello")
        assert await reader.read(5) == b"hello"
        writer.close()
    server.close()
    print("asyncio")


def pair():
    left, right = socket.socketpair()
    thread = threading.Thread(target=lambda: right.sendall(right.recv(100)[::-1]))
    thread.start()
    left.sendall(b"stream")
    print("socketpair", left.recv(100))
    thread.join()


if __name__ == "__main__":
    threads()
    processes()
    pools()
    signals()
    asyncio.run(echo())
    pair()
