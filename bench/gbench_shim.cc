/*
 * The only C++ of the project: hands benchmarks that are written in C to Google Benchmark. See gbench_shim.h.
 */
#include "gbench_shim.h"

#include <benchmark/benchmark.h>

#include <sys/resource.h>

#include <chrono>
#include <string>
#include <vector>

namespace
{

void report_memory(benchmark::State &state, size_t bytes)
{
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    state.counters["data_bytes"] = static_cast<double>(bytes);
    state.counters["peak_bytes"] = static_cast<double>(usage.ru_maxrss) * 1024; // given in KiB
}

void run(benchmark::State &state, const gbench_benchmark &b)
{
    if (const char *reason = b.prepare(b.arg)) {
        state.SkipWithError(reason);
        return;
    }
    int64_t items = 0;
    const auto start = std::chrono::steady_clock::now();
    for (auto _ : state)
        items += static_cast<int64_t>(b.pass(b.arg));
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    state.SetItemsProcessed(items);
    if (b.real_time) // UseRealTime() would write itself into the name
        state.counters["items_per_second"] = static_cast<double>(items) / elapsed.count();
    if (b.bytes)
        report_memory(state, b.bytes(b.arg));
}

/* Remembers the last result instead of printing it. */
class Collector : public benchmark::BenchmarkReporter
{
  public:
    double items_per_second = 0;

    bool ReportContext(const Context &) override { return true; }

    void ReportRuns(const std::vector<Run> &runs) override
    {
        for (const Run &r : runs) {
            auto counter = r.counters.find("items_per_second");
            if (counter != r.counters.end())
                items_per_second = counter->second;
        }
    }
};

} // namespace

void gbench_initialize(int *argc, char **argv) { benchmark::Initialize(argc, argv); }

void gbench_add_context(const char *key, const char *value) { benchmark::AddCustomContext(key, value); }

void gbench_register(const gbench_benchmark *b)
{
    gbench_benchmark copy = *b;
    benchmark::RegisterBenchmark(b->name, [copy](benchmark::State &state) {
        run(state, copy);
    })->Unit(benchmark::kMicrosecond);
}

size_t gbench_run(void)
{
    size_t selected = benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return selected;
}

double gbench_measure(const char *name)
{
    Collector collector;
    benchmark::RunSpecifiedBenchmarks(&collector, "^" + std::string(name) + "$");
    return collector.items_per_second;
}
