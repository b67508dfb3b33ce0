import { createBilling, type Billing } from '#services/billing/billing-service'
import type { ReconcilerParts } from '#services/billing/reconciler/reconciler-run'
import { createReconcilerState } from '#services/billing/reconciler/reconciler-state'
import { createCommandHandler, type CommandHandler } from '#services/commands/handle-command'
import { macKeyOf } from '#services/event-store/audit/audit-keys'
import { systemClock, type Clock } from '#services/foundation/clock'
import { refuseOtherKeys } from '#services/keys/assert-known-keys'
import type { Config } from '#services/settings/config'
import { startOperatorClock } from './operator-clock.ts'
import { createProviderEvents } from '#services/start/provider-events'
import { createReadSide } from '#services/read-side/read-side'
import { createProviderPorts } from '#services/start/provider-ports'
import type { OperatorContext } from './operator-context.ts'

export interface OperatorBilling extends ReconcilerParts {
  readonly billing: Billing
  readonly commands: CommandHandler
  /** `clock` is the clock of the provider's events. */
  readonly businessClock: Clock
}

/**
 * Composes the billing service as the product does while `work` runs. A command starts no sandbox:
 * the sandbox of a product answers only while the product runs.
 */
export async function withBilling<T>(
  context: OperatorContext,
  work: (parts: OperatorBilling) => Promise<T>,
): Promise<T> {
  const { config, connectionString, pool, store, codec, log } = context
  await refuseOtherKeys(pool, config)
  // The business clock, so that no fact is dated before earlier events.
  const clock = await startOperatorClock(context)
  try {
    const ports = createProviderPorts(config, sandboxOf(config))
    const provider = ports.payments({ success: config.publicUrl, cancel: config.publicUrl })
    const commands = createCommandHandler({
      store,
      codec,
      clock,
      macKey: macKeyOf(config.auditKey),
    })
    const state = createReconcilerState(pool, systemClock)
    const { eventsHandledUntil } = state
    const billing = createBilling({ commands, provider, clock, log, eventsHandledUntil })
    const { customerLinks: links } = createReadSide({
      connectionString,
      pool,
      store,
      codec,
      log,
      shards: config.projectionShards,
      timeZone: config.reportingTimeZone,
      onProjected: () => undefined,
    })
    await state.begin()
    const events = createProviderEvents({ billing, provider, ...ports, pool, links, log })
    return await work({
      ...events,
      billing,
      commands,
      businessClock: clock,
      state,
      clock: systemClock,
      log,
    })
  } finally {
    await clock.close()
  }
}

/** The sandbox that a running product started, or that runs elsewhere. Null without one. */
export function sandboxOf({ sandbox }: Pick<Config, 'sandbox'>) {
  return sandbox === null ? null : { url: sandbox.url ?? `http://127.0.0.1:${sandbox.port}` }
}
