/*
 * The only C++ of the project: hands benchmarks that are written in C to Google Benchmark. See gbench_shim.h.
 */
#include "gbench_shim.h"

#include <benchmark/benchmark.h>

#include <cctype>
#include <deque>
#include <string>
#include <vector>

namespace
{

void run(benchmark::State &state, const gbench_benchmark &b)
{
    if (const char *reason = b.prepare(b.arg)) {
        state.SkipWithError(reason);
        return;
    }
    int64_t items = 0;
    for (auto _ : state)
        items += static_cast<int64_t>(b.pass(b.arg));
    state.SetItemsProcessed(items);
}

/* Hands the medians on instead of printing them. */
struct Collector : benchmark::BenchmarkReporter {
    void (*keep)(const char *, double);

    bool ReportContext(const Context &) override { return true; }

    void ReportRuns(const std::vector<Run> &runs) override
    {
        for (const Run &r : runs) {
            auto rate = r.counters.find("items_per_second");
            if (r.aggregate_name == "median" && rate != r.counters.end())
                keep(r.run_name.str().c_str(), rate->second);
        }
    }
};

} // namespace

void gbench_initialize(int *argc, char **argv)
{
#ifdef SEEBATCH_BENCH_SECONDS_HAVE_A_UNIT
    // Google Benchmark 1.8 wants "0.5s" where earlier versions take nothing but "0.5", and complains once for each benchmark.
    static std::deque<std::string> with_unit; // the arguments have to outlive this call
    const std::string flag = "--benchmark_min_time=";
    for (int i = 1; i < *argc; i++) {
        const std::string argument = argv[i];
        if (argument.compare(0, flag.size(), flag) == 0 && std::isdigit(static_cast<unsigned char>(argument.back()))) {
            with_unit.push_back(argument + "s");
            argv[i] = &with_unit.back()[0];
        }
    }
#endif
    benchmark::Initialize(argc, argv);
}

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

void gbench_measure(const char *filter, void (*keep)(const char *name, double rate))
{
    Collector collector;
    collector.keep = keep;
    benchmark::RunSpecifiedBenchmarks(&collector, filter);
}
