import { reportNames } from '#contracts/finance/report-columns'
import { perSecond, type Row } from './report.ts'
import { runMeasured } from './run-measured.ts'
import { median } from './statistics.ts'

/** What a process of one report, or of the bare read, sends before it ends. */
export interface ReportUsage {
  readonly seconds: number
  /** Of Node. */
  readonly cpuSeconds: number
  readonly peakBytes: number
  /** Of the written JSON. */
  readonly bytes: number
}

const rateTarget = 100_000
const memoryTarget = 512
const bare = 'bare'
/** The argument of a process that does not check the MACs. */
export const unproven = 'unproven'
/** The report that is also computed without the check of the MACs. */
const compared = 'revenue'

/**
 * Computes each report over the whole log, each time in a new process, and reads the log with a
 * bare cursor of pg in the same rounds. The time is from the first query to the last byte.
 */
export async function benchReports(
  connectionString: string,
  events: number,
  rounds: number,
): Promise<readonly Row[]> {
  const names = [bare, ...reportNames, unproven]
  const found = new Map<string, ReportUsage[]>(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round += 1)
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(turn + round) % names.length] ?? bare
      found
        .get(name)
        ?.push(await runMeasured('reports-process', [connectionString, ...argumentsOf(name)]))
    }

  const of = (name: string, value: (usage: ReportUsage) => number) =>
    (found.get(name) ?? []).map(value)
  const secondsOf = (name: string) => of(name, ({ seconds }) => seconds)
  const reading = perSecond(events / median(secondsOf(bare)))
  const speeds = reportNames.map((name): Row => {
    const rate = events / median(secondsOf(name))
    const bareSeconds = secondsOf(bare)
    return {
      what: `report ${name}`,
      measured: perSecond(rate),
      against: `bare read ${reading}`,
      ratio: median(secondsOf(name).map((seconds, round) => (bareSeconds[round] ?? 0) / seconds)),
      target: { text: `≥ ${rateTarget.toLocaleString('en-US')}/s`, isMet: rate >= rateTarget },
    }
  })
  const cpuOf = (name: string) => median(of(name, ({ cpuSeconds }) => cpuSeconds))
  const peakOf = (name: string) => Math.max(...of(name, ({ peakBytes }) => peakBytes))
  const slowest = nameOfMax(cpuOf)
  const largest = nameOfMax(peakOf)
  const peak = peakOf(largest) / 2 ** 20
  const size = Math.max(...of(largest, ({ bytes }) => bytes)) / 2 ** 20
  return [
    ...speeds,
    {
      what: `report ${compared}, MACs not checked`,
      measured: perSecond(events / median(secondsOf(unproven))),
      against: `the same report with the check, ${microseconds(cpuOf(compared) - cpuOf(unproven), events)} more per event`,
      ratio: median(
        secondsOf(compared).map(
          (seconds, round) => seconds / (secondsOf(unproven)[round] ?? seconds),
        ),
      ),
    },
    {
      what: `report ${slowest}, the most processor time`,
      measured: `${microseconds(cpuOf(slowest), events)} per event`,
      against: `bare read ${microseconds(cpuOf(bare), events)}`,
    },
    {
      what: `report ${largest}, the most memory`,
      measured: `${Math.round(peak)} MB`,
      against: `${size.toFixed(1)} MB of JSON`,
      target: { text: `< ${memoryTarget} MB`, isMet: peak < memoryTarget },
    },
  ]
}

function argumentsOf(name: string): readonly string[] {
  return name === unproven ? [compared, unproven] : [name]
}

function nameOfMax(measure: (name: string) => number): string {
  return reportNames.reduce((max, name) => (measure(name) > measure(max) ? name : max))
}

function microseconds(seconds: number, events: number): string {
  return `${((seconds / events) * 1e6).toFixed(1)} µs`
}
