import { Counter, Gauge, type Registry } from 'prom-client'
import type { Measure } from './measure.ts'

/** The messages to clients of merchants that are due. */
export interface MeasuredMessages {
  readonly due: number
  /** Of the oldest due one that waits for no further try. 0 without one. */
  readonly oldestSeconds: number
  /** Of the oldest due one that failed and waits for its next try. 0 without one. */
  readonly oldestRetrySeconds: number
  /** Clients whose messages failed five times or more, and are tried again. */
  readonly failing: number
}

/** What is counted of the messages to clients, as the events of this process say. */
export interface MessageCounts {
  /** `outcome`: sent, unknown, returned, or why a message was not sent. */
  message(channel: string, outcome: string): void
  skipped(reason: string, steps: number): void
  /** An address or a number that takes no messages. */
  bounced(channel: string): void
  /** `via`: how a person stopped messages. */
  optOut(via: string): void
}

/** Returns the counts, and a function that a scrape calls to set what is due. */
export function messageMetrics(
  registry: Registry,
  messages: () => Promise<MeasuredMessages>,
  measure: Measure,
): { readonly counts: MessageCounts; readonly collect: () => Promise<void> } {
  const registers = [registry]
  const gauges = {
    due: new Gauge({
      name: 'client_messages_due',
      help: 'Clients of merchants whose messages are to be looked after now.',
      registers,
    }),
    oldestSeconds: new Gauge({
      name: 'client_messages_oldest_due_seconds',
      help: 'How long the oldest due message to a client waits that waits for no further try, by the business clock. 0 without one.',
      registers,
    }),
    oldestRetrySeconds: new Gauge({
      name: 'client_messages_oldest_retry_seconds',
      help: 'How long the oldest due message to a client waits that failed and is tried again. 0 without one.',
      registers,
    }),
    failing: new Gauge({
      name: 'client_messages_failing',
      help: 'Clients whose messages failed five times or more and are tried again.',
      registers,
    }),
  }
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers })
  const messagesTotal = counter(
    'client_messages_total',
    'Messages to clients whose outcome this process recorded: sent, not sent and why, unknown, returned.',
    ['channel', 'outcome'],
  )
  const skipped = counter(
    'client_steps_skipped_total',
    'Steps of schedules that ended without a message, by reason, as this process recorded.',
    ['reason'],
  )
  const bounced = counter(
    'client_addresses_bounced_total',
    'Addresses and numbers of clients that take no messages, as this process recorded.',
    ['channel'],
  )
  const optOuts = counter(
    'client_opt_outs_total',
    'Stops of messages by the persons who get them, as this process recorded.',
    ['via'],
  )
  const read = measure('messages', messages)

  return {
    counts: {
      message: (channel, outcome) => messagesTotal.inc({ channel, outcome }),
      skipped: (reason, steps) => skipped.inc({ reason }, steps),
      bounced: (channel) => bounced.inc({ channel }),
      optOut: (via) => optOuts.inc({ via }),
    },
    async collect() {
      const { value } = await read()
      for (const name of ['due', 'oldestSeconds', 'oldestRetrySeconds', 'failing'] as const)
        if (value === undefined) gauges[name].remove()
        else gauges[name].set(value[name])
    },
  }
}
