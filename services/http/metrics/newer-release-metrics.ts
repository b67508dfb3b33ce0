import { Gauge, type Registry } from 'prom-client'

/** What this process has met of a newer release. */
export interface MeasuredNewerRelease {
  releases(): readonly string[]
  waiting(): readonly string[]
}

/** Returns a function that a scrape calls to set what needs a newer release. */
export function newerReleaseMetrics(
  registry: Registry,
  newer: MeasuredNewerRelease | undefined,
): () => Promise<void> {
  const registers = [registry]
  const needed = new Gauge({
    name: 'newer_release_needed',
    help: '1 for each newer release whose events this process has met and does not know.',
    labelNames: ['release'],
    registers,
  })
  const waiting = new Gauge({
    name: 'newer_release_waiting',
    help: '1 for each projection and reactor of this process that waits for a newer release.',
    labelNames: ['reader'],
    registers,
  })

  return async () => {
    needed.reset()
    waiting.reset()
    for (const release of newer?.releases() ?? []) needed.set({ release }, 1)
    for (const reader of newer?.waiting() ?? []) waiting.set({ reader }, 1)
  }
}
