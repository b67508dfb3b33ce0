import { createCommandHandler, type CommandHandler } from '#services/commands/handle-command'
import type { StreamCache } from '#services/commands/stream-cache'
import { watchStreamCache } from '#services/commands/watch-stream-cache'
import { macKeyOf } from '#services/event-store/audit/audit-keys'
import type { EventCodec } from '#services/event-store/encryption/codec'
import type { PersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { Clock } from '#services/foundation/clock'
import { countedCommands } from '#services/http/metrics/counted-commands'
import type { Metrics } from '#services/http/metrics/metrics'
import type { Storage } from './open-storage.ts'
import type { StartContext } from './start-context.ts'

/** Starts the watch of the stream cache, and creates the command handler. */
export function startCommands(
  { config, log, started, tracing }: StartContext,
  { store, connectionString }: Pick<Storage, 'store' | 'connectionString'>,
  {
    codec,
    keys,
    streamCache,
    clock,
    metrics,
  }: {
    readonly codec: EventCodec
    readonly keys: PersonalKeys
    readonly streamCache: StreamCache
    /** The business clock. */
    readonly clock: Clock
    readonly metrics: Pick<Metrics, 'messages'>
  },
): CommandHandler {
  const watch = watchStreamCache({ cache: streamCache, keys, connectionString, log })
  started.add('watch of the stream cache', () => watch.close())
  const handler = createCommandHandler({
    store,
    codec,
    clock,
    macKey: macKeyOf(config.auditKey),
    cache: streamCache,
  })
  return countedCommands(tracing.commands(handler), metrics.messages)
}
