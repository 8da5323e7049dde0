"""The same on a cluster, with Dask: filter_parts.py says what is made. A part whose worker dies is done by another.

    python3 filter_dask.py [--parts N] [--rules NAME] [--scheduler ADDRESS] OUTPUT.csv [FILE...]
    python3 filter_dask.py quiet.csv

Without --scheduler it starts two workers here. Workers need seebatch, this folder and the files; `dask worker` starts
them elsewhere (Debian: python3-distributed).
"""
from distributed import Client, LocalCluster

import filter_parts


def run(client, options):
    futures = [client.submit(filter_parts.work, *task, key=f"part-{task[0]}-{task[1]}", pure=False)
               for task in filter_parts.tasks(options)]
    return filter_parts.join(options.output, client.gather(futures))


def main():
    parser = filter_parts.arguments(__doc__.splitlines()[0])
    parser.add_argument("--scheduler", help="address of a scheduler")
    options = parser.parse_args()
    if options.scheduler:
        with Client(options.scheduler) as client:
            print(run(client, options))
    else:
        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
            print(run(client, options))


if __name__ == "__main__":
    main()
