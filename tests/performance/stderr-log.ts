import type { ProjectionLog } from '#projections/engine/run/projection-log'

const write = (facts: object, sentence: string) =>
  void process.stderr.write(`${sentence} ${JSON.stringify(facts)}\n`)

/** Writes warnings and errors to stderr, so that the benchmark shows a failing projector. */
export const stderrLog: ProjectionLog = { info: () => undefined, warn: write, error: write }
