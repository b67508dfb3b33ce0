/** What a measured process sends before it ends. */
export interface Usage {
  readonly seconds: number
  /** Of Node. */
  readonly cpuSeconds: number
  readonly peakBytes: number
}

/** Does the work of this process, and sends what it took and found to `runMeasured`. */
export async function sendUsage<Found extends object>(work: () => Promise<Found>): Promise<void> {
  const began = performance.now()
  const cpuBefore = process.cpuUsage()
  const found = await work()
  const { user, system } = process.cpuUsage(cpuBefore)
  const usage: Usage & Found = {
    ...found,
    seconds: (performance.now() - began) / 1_000,
    cpuSeconds: (user + system) / 1e6,
    peakBytes: process.resourceUsage().maxRSS * 1_024,
  }
  process.send?.(usage, () => process.disconnect())
}
