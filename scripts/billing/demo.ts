import { Command, InvalidArgumentError } from 'commander'
import type pg from 'pg'
import { z } from 'zod'
import type { EventStore } from '#services/event-store/event-store'
import { upToNewer } from '#services/event-store/newer-event'
import { countOf, formatCount } from '#services/foundation/format-count'
import { oneRow } from '#services/foundation/rows'
import { StartupError } from '#services/foundation/startup-error'
import { asOperator } from '#services/operations/operator-context'
import { connectionsOfProduct } from '#services/operations/switch-log'
import type { Config } from '#services/settings/config'
import { readConfig } from '#services/settings/read-config'
import { isLocalAddress } from '#services/settings/is-local-address'
import { withSettingsFromFiles } from '#services/settings/settings-from-files'
import { countCustomers } from '#services/accounts/count-customers'
import { createStripeClient } from '#services/start/stripe-client'
import type { Deed } from './demo/action.ts'
import { createCalendar, nextMonth, type Calendar } from './demo/calendar.ts'
import { planCustomer, type PlannedCustomer } from './demo/plan-customer.ts'
import type { Customer } from './demo/perform.ts'
import { isUnreachable, play } from './demo/play.ts'
import { addReceivables, type Merchant } from './demo/receivables/add-receivables.ts'
import { payInPortals } from './demo/receivables/pay-in-portals.ts'
import { sandboxClock } from './demo/sandbox-clock.ts'
import { shareOfWork } from './demo/share-of-work.ts'
import { joinRunningProduct, startOwnProduct, type Venue } from './demo/venue.ts'
import { positiveInteger } from './positive-integer.ts'
import { showProgress } from './progress.ts'
import { withStopSignal } from './with-stop-signal.ts'
import { print } from './print.ts'

interface Options {
  readonly customers: number
  readonly months: number
  readonly seed: number
  readonly start?: string
  readonly add?: boolean
}

/** `billing demo`: a year of invented customers, made through the API and the sandbox's clock. */
export function demoCommand(): Command {
  return new Command('demo')
    .description("Make invented customers and their payments by the API and the sandbox's clock.")
    .option('--customers <count>', 'number of visitors who sign up', positiveInteger, 300)
    .option('--months <count>', 'calendar months to play, at most 60', monthCount, 14)
    .option('--seed <number>', 'selects the invented data', positiveInteger, 1)
    .option('--start <date>', 'first day (UTC); default: the first day of the next month', date)
    .option('--add', 'add the customers to data that has customers')
    .addHelpText(
      'after',
      [
        '',
        'If the product runs on this data, the command plays in it: set DATA_DIR and PORT as at its start. Otherwise it starts the product with its sandbox on DATA_DIR, PORT and SANDBOX_PORT, and stops it at the end.',
        'Sign-ups are limited per network address. In a running product the command forgets what it counted for this machine. A product of its own listens on 127.0.0.1 only and takes the address of each customer from X-Forwarded-For.',
        "The sandbox's clock runs forward over the months and stays there. It cannot be set back.",
        'Refused: real keys for Stripe or SMTP, a sandbox elsewhere (SANDBOX_URL), a public address, data with customers unless --add is set, a second demo at the same time, and a log with an event of a newer release.',
        'Each customer who paid gets clients, and their invoices and payments of the two years up to the last day.',
        'Some of them connect an account, and some of their clients pay on it through their page. A part of it is refunded, and one payment is disputed.',
        'The same seed, counts and start give the same customers, plans, amounts, statuses and days. Ids, invoice numbers and the seconds of the day differ.',
        '300 customers and 14 months take about 14 minutes on two cores. Ctrl-C stops the command; what was recorded stays.',
      ].join('\n'),
    )
    .action((options: Options) => {
      let stopped = 'The demo was stopped.'
      const onVenue = ({ afterStop }: Venue) => void (stopped = afterStop)
      return withStopSignal(
        (signal) => makeDemo(options, signal, onVenue),
        () => `${stopped} What was recorded stays. To begin again, use another DATA_DIR.`,
      )
    })
}

async function makeDemo(
  options: Options,
  signal: AbortSignal,
  onVenue: (venue: Venue) => void,
): Promise<void> {
  // The sandbox's clock is never behind the system's. So this refusal comes before any data exists.
  if (options.start !== undefined)
    refusePast(options.start, createCalendar(options.start, options.months), new Date())
  refuseOtherServices(readConfig(withSettingsFromFiles(process.env)))
  await asOperator((context) =>
    asOnlyDemo(context.pool, async () => {
      const { pool, store, config } = context
      // Before this command reads the log: its reader has the name of the product's.
      const isRunning = (await connectionsOfProduct(pool)).length > 0
      await refuseNewerEvents(store)
      if (options.add !== true) await refuseUsedData(pool, config)
      const venue = isRunning
        ? await joinRunningProduct(config, pool, signal)
        : await startOwnProduct(config, signal)
      onVenue(venue)
      try {
        const paying = await playIn(venue, config, options, signal)
        const merchants = await addReceivables(context, paying, options.seed, signal)
        const stripe = createStripeClient(config, { url: venue.sandboxUrl })
        await payInPortals({ venue, stripe, signal }, merchants, options.seed)
        print(`${venue.next}\n`)
      } finally {
        await venue.close()
      }
    }),
  )
}

async function playIn(
  venue: Venue,
  config: Config,
  options: Options,
  signal: AbortSignal,
): Promise<readonly Merchant[]> {
  const { productUrl, sandboxUrl } = venue
  const clock = sandboxClock(sandboxUrl, signal)
  const now = await clock.now()
  const first = options.start ?? nextMonth(now)
  const calendar = createCalendar(first, options.months)
  refusePast(first, calendar, now)
  const customers = Array.from({ length: options.customers }, (_, index) =>
    planCustomer(options.seed, index, calendar),
  )
  await refusePlayedSeed(sandboxUrl, customers, options.seed, signal)
  process.stderr.write(
    `Playing ${formatCount(options.customers)} visitors from ${first} on, ${calendar.length} days, seed ${options.seed}.\n`,
  )
  const progress = showProgress({
    doing: 'Playing',
    unit: 'days',
    total: calendar.length,
    shareOf: shareOfWork(calendar.length, customers),
  })
  const refused: string[] = []
  let played: readonly Customer[] = []
  try {
    played = await play({
      productUrl,
      sandboxUrl,
      stripe: createStripeClient(config, { url: sandboxUrl }),
      calendar,
      customers,
      signal,
      beforeSignUp: () => venue.beforeSignUp(),
      followClock: (until) => venue.followClock(until),
      onDay: () => progress.advance(1),
      onRefused: venue.isShared ? (reason) => void refused.push(reason) : null,
    })
  } catch (error) {
    if (signal.aborted || !isUnreachable(error)) throw error
    throw new StartupError(
      'The product or its sandbox stopped answering, so the demo ended. What was recorded stays.',
      { cause: error },
    )
  } finally {
    progress.end()
  }
  if (refused.length > 0) process.stderr.write(endedEarly(refused))
  print(summaryOf(customers, await clock.now()))
  return played.flatMap((customer, index) =>
    customer.stripeCustomerId === null ? [] : [{ index, visitor: customer.visitor }],
  )
}

/** The demo pays with test cards and moves the clock, so only the product's own sandbox fits. */
function refuseOtherServices({ sandbox, role, publicUrl }: Config): void {
  if (sandbox === null || !sandbox.simulatesStripe || !sandbox.simulatesMail)
    throw new StartupError(
      'The demo needs the sandbox, and STRIPE_SECRET_KEY or SMTP_URL is set. Unset both, and set another DATA_DIR.',
    )
  if (sandbox.url !== null)
    throw new StartupError(
      "SANDBOX_URL is set. The demo moves the sandbox's clock by months, so it uses only a sandbox that it starts. Unset SANDBOX_URL.",
    )
  if (role !== 'all')
    throw new StartupError(`ROLE is ${role}. The demo runs the whole product: unset ROLE.`)
  if (!isLocalAddress(publicUrl) || !publicUrl.startsWith('http:'))
    throw new StartupError(
      `PUBLIC_URL is ${publicUrl}. The demo runs on this machine only: unset PUBLIC_URL.`,
    )
}

const lockRow = z.object({ isFree: z.boolean() })

async function refuseUsedData(pool: pg.Pool, config: Config): Promise<void> {
  const customers = await countCustomers(pool)
  if (customers === 0) return
  const isEmbedded = config.databaseUrl === null
  throw new StartupError(
    `The data of ${isEmbedded ? config.dataDir : 'DATABASE_URL'} has ${countOf(customers, 'customer')}. Set another DATA_DIR, or add to this data with --add and another --seed.`,
  )
}

/** The mail with the code of a customer of this seed is in the inbox, which keeps all mails. */
async function refusePlayedSeed(
  sandboxUrl: string,
  customers: readonly PlannedCustomer[],
  seed: number,
  signal: AbortSignal,
): Promise<void> {
  const first = customers.find(({ actions }) => actions.some(({ kind }) => kind === 'sign-up'))
  if (first === undefined) return
  const to = encodeURIComponent(first.person.email)
  const answer = await fetch(`${sandboxUrl}/inbox.json?to=${to}`, { signal })
  if (z.array(z.unknown()).parse(await answer.json()).length === 0) return
  throw new StartupError(`The customers of seed ${seed} are in this data. Choose another --seed.`)
}

/** @throws StartupError while another demo plays on this data */
async function asOnlyDemo(pool: pg.Pool, work: () => Promise<void>): Promise<void> {
  const client = await pool.connect()
  try {
    const { isFree } = await oneRow(
      client,
      lockRow,
      `SELECT pg_try_advisory_lock(hashtextextended('billing demo', 0)) AS "isFree"`,
    )
    if (!isFree)
      throw new StartupError('Another demo plays on this data. Wait until it ends, or stop it.')
    await work()
  } finally {
    // Closes the connection, which ends the lock.
    client.release(true)
  }
}

/**
 * The product of this release would wait at the event, so no customer could sign up, and the
 * sandbox's clock would have moved.
 */
async function refuseNewerEvents(store: Pick<EventStore, 'readAll'>): Promise<void> {
  for await (const page of store.readAll(null)) {
    const { newer } = upToNewer(page)
    if (newer !== null)
      throw new StartupError(`The demo did not start, and nothing was changed. ${newer.message}`)
  }
}

function refusePast(first: string, calendar: Calendar, now: Date): void {
  if (calendar.timeOf(0) < now)
    throw new StartupError(
      `--start is ${first}, and the sandbox's clock is at ${now.toISOString()}. It cannot be set back: choose a later day.`,
    )
}

/** For example because an administrator blocked the customer during the demo. */
function endedEarly(refused: readonly string[]): string {
  const stories =
    refused.length === 1 ? 'The story of 1 visitor' : `The stories of ${refused.length} visitors`
  return `${stories} ended early, because the product refused a call. The first: ${refused[0] ?? ''}\n`
}

const counted: readonly (readonly [Deed['kind'], string])[] = [
  ['sign-up', 'sign-ups'],
  ['pay', 'purchases'],
  ['abandon-checkout', 'abandoned checkouts'],
  ['upgrade', 'upgrades'],
  ['downgrade', 'downgrades'],
  ['cancel', 'cancellations'],
  ['withdraw-cancellation', 'withdrawn cancellations'],
  ['refund', 'refunds'],
  ['credit-note', 'credit notes'],
  ['answer-dispute', 'answered disputes'],
  ['pause', 'pauses'],
]

function summaryOf(customers: readonly PlannedCustomer[], now: Date): string {
  const deeds = customers.flatMap(({ actions }) => actions)
  const counts = counted.map(
    ([kind, name]) => `${formatCount(deeds.filter((deed) => deed.kind === kind).length)} ${name}`,
  )
  const cards = (why: string) =>
    formatCount(deeds.filter((deed) => deed.kind === 'change-card' && deed.why === why).length)
  return [
    `Made ${formatCount(customers.length)} visitors: ${counts.join(', ')}.`,
    `${cards('fails-later')} cards failed later, ${cards('recovers')} customers recovered, ${cards('disputes')} disputed a payment.`,
    `The sandbox's clock is at ${now.toISOString()}.`,
    '',
  ].join('\n')
}

function monthCount(text: string): number {
  const months = positiveInteger(text)
  if (months > 60) throw new InvalidArgumentError('It must be at most 60.')
  return months
}

function date(text: string): string {
  if (!z.iso.date().safeParse(text).success)
    throw new InvalidArgumentError('It must be a date such as 2027-01-01.')
  return text
}
