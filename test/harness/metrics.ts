/** What a node tells at /metrics, for tests that look at one figure. */

/** The value of the one series that has these labels; undefined where none has. */
export async function metricOf(url: string, name: string, labels: Record<string, string> = {}): Promise<number | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const line = text.split('\n').find((one) => {
    const [, told, inner = ''] = /^(\w+)(?:\{(.*)\})? /.exec(one) ?? [];
    return told === name && Object.entries(labels).every(([key, said]) => inner.includes(`${key}="${said}"`));
  });
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}

/** How much a counter grew while `work` was done. */
export async function growthOf(url: string, name: string, labels: Record<string, string>, work: () => Promise<unknown>): Promise<number> {
  const before = (await metricOf(url, name, labels)) ?? 0;
  await work();
  return ((await metricOf(url, name, labels)) ?? 0) - before;
}
