import { Command } from 'commander'
import type { EventStore } from '#services/event-store/event-store'
import { isTooFarAhead } from '#services/foundation/business-clock'
import { systemClock } from '#services/foundation/clock'
import { nameOfClock, readClockAt, type FollowedClock } from '#services/foundation/followed-clock'
import { StartupError } from '#services/foundation/startup-error'
import { readStoredClock, replaceStoredClock } from '#services/foundation/stored-clock'
import { asOperator, type OperatorContext } from '#services/operations/operator-context'
import { connectionsOfProduct, refuseWhileRunning } from '#services/operations/switch-log'
import { durableTransaction, onConnectionOf } from '#services/postgres/transaction'
import { followedClock } from '#services/settings/followed-clock'
import { showProgress } from './progress.ts'
import { print } from './print.ts'

/** `billing clock …`: commands for the stored value of the business clock. */
export function clockCommand(): Command {
  return new Command('clock')
    .description('Manage the business clock: show its stored value, or repair it.')
    .addCommand(showCommand())
    .addCommand(resetCommand())
}

function showCommand(): Command {
  return new Command('show')
    .description('Show the stored value, the time of this system and the followed clock.')
    .addHelpText(
      'after',
      '\nThe exit code is 1 if the next start is refused, or if the clock at CLOCK_URL does not answer.',
    )
    .action(() => asOperator(show))
}

function resetCommand(): Command {
  return new Command('reset')
    .description(
      'Set the stored value to the time of the followed clock. Needs the product stopped.',
    )
    .addHelpText(
      'after',
      [
        '',
        'Use it if a start is refused because an earlier run followed a wrong clock. First correct the clock.',
        'Events that were recorded with the wrong time keep it. The order of events does not depend on their times.',
      ].join('\n'),
    )
    .action(() => asOperator(reset))
}

/** The followed clock's time in milliseconds since 1970, or why it is unknown. */
type Reading =
  | { readonly kind: 'read'; readonly now: number }
  | { readonly kind: 'silent'; readonly reason: string }
  | { readonly kind: 'stopped' }

async function show({ config, pool }: OperatorContext): Promise<void> {
  const followed = followedClock(config)
  const stored = await readStoredClock(pool)
  // Another product may use the port of a sandbox that is stopped.
  const isStopped =
    followed.kind === 'own-sandbox' && (await connectionsOfProduct(pool)).length === 0
  const reading: Reading = isStopped ? { kind: 'stopped' } : await read(followed)
  const systemTime = systemClock.now().getTime()
  const [reference, name] =
    reading.kind === 'read'
      ? [reading.now, nameOfClock(followed)]
      : [systemTime, "the system's time"]

  print(
    [
      `stored value    ${stored === null ? 'none: the next start stores its time' : inWords(stored)}`,
      `system's time   ${inWords(systemTime)}`,
      `followed clock  ${followedInWords(followed, reading)}`,
      ...(stored === null ? [] : [`difference      ${difference(stored, reference, name)}`]),
      '',
    ].join('\n'),
  )
  if (stored !== null && isTooFarAhead(stored, reference)) {
    if (isStopped) print(ifAdvanced)
    else {
      print(
        `The stored value is more than 1 hour ahead, so the next start is refused. Correct ${name} if it is wrong, otherwise stop the product and run 'npm run billing -- clock reset'.\n`,
      )
      process.exitCode = 1
    }
  }
  if (reading.kind === 'silent') process.exitCode = 1
}

const ifAdvanced =
  "The stored value is right if the sandbox's clock was advanced. Otherwise the next start is refused: run 'npm run billing -- clock reset'.\n"

async function reset({ config, pool, store }: OperatorContext): Promise<void> {
  await refuseWhileRunning(pool, "'clock reset'")
  const followed = followedClock(config)
  const before = await readStoredClock(pool)
  const was = before === null ? 'There was no stored value.' : `It was ${inWords(before)}.`
  if (followed.kind === 'own-sandbox') {
    await onConnectionOf(pool, durableTransaction, (tx) => replaceStoredClock(tx, null))
    print(
      `The stored value is deleted. ${was} The sandbox's clock runs only with the product, so the next start stores the sandbox's time.\n${keptTimes}\nNext: start the product.\n`,
    )
    return
  }
  const reading = await read(followed)
  if (reading.kind !== 'read')
    throw new StartupError(
      `${capitalized(followedInWords(followed, reading))}: nothing was changed. Start that clock or correct CLOCK_URL, and run the command again.`,
    )
  const { now } = reading
  await onConnectionOf(pool, durableTransaction, (tx) => replaceStoredClock(tx, new Date(now)))
  print(
    `The stored value is now ${inWords(now)}, the time of the followed clock (${nameOfClock(followed)}). ${was}\n`,
  )
  const later = await countRecordedAfter(store, inWords(now))
  if (later > 0)
    print(
      `${later === 1 ? '1 event of the log was' : `${later} events of the log were`} recorded with a later time.\n${keptTimes}\n`,
    )
  print('Next: start the product.\n')
}

const keptTimes =
  'Events that were recorded with a wrong time keep it, and new events have the right time. In a stream, the time of a new event can be earlier than the time of the event before. The order of events does not depend on their times.'

async function countRecordedAfter(store: EventStore, time: string): Promise<number> {
  const progress = showProgress({
    doing: 'Looking for later times',
    unit: 'events',
    total: await store.countAfter(null),
  })
  let count = 0
  try {
    for await (const page of store.readAll(null)) {
      count += page.filter(
        ({ metadata: { recordedAt } }) => typeof recordedAt === 'string' && recordedAt > time,
      ).length
      progress.advance(page.length)
    }
  } finally {
    progress.end()
  }
  return count
}

async function read(followed: FollowedClock): Promise<Reading> {
  if (followed.kind === 'system') return { kind: 'read', now: systemClock.now().getTime() }
  try {
    return { kind: 'read', now: await readClockAt(followed.url) }
  } catch (error) {
    return { kind: 'silent', reason: error instanceof Error ? error.message : String(error) }
  }
}

function followedInWords(followed: FollowedClock, reading: Reading): string {
  switch (reading.kind) {
    case 'read':
      return followed.kind === 'system'
        ? "the system's time, because CLOCK_URL is not set"
        : `${nameOfClock(followed)}, ${inWords(reading.now)}`
    case 'silent':
      return `${nameOfClock(followed)} does not answer (${reading.reason})`
    case 'stopped':
      return "the sandbox's clock, which answers only while the product runs"
  }
}

function difference(stored: number, reference: number, name: string): string {
  const ms = stored - reference
  if (Math.abs(ms) < 1_000) return `none: the stored value equals ${name}`
  return `the stored value is ${duration(Math.abs(ms))} ${ms > 0 ? 'ahead of' : 'behind'} ${name}`
}

/** The two largest units: `731 d 2 h`. */
function duration(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  const days = Math.floor(hours / 24)
  if (days > 0) return `${days} d ${hours % 24} h`
  if (hours > 0) return `${hours} h ${minutes % 60} min`
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`
}

function inWords(ms: number): string {
  return new Date(ms).toISOString()
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
