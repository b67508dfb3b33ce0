import type { UserId } from '#contracts/ids'
import type { ShownTemplate } from '#contracts/receivables/templates'
import type { CommandContext } from '#services/commands/command-context'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Position } from '#services/event-store/event-store'
import type { Clock } from '#services/foundation/clock'
import { merchantStream } from '#services/foundation/stream-names'
import { merchantDecider, type MerchantCommand, type MerchantRefusal } from '../merchant-decider.ts'
import {
  currentTemplate,
  templateStateOf,
  type TemplateChange,
  type TemplateKey,
  type TemplatesState,
} from './decide-templates.ts'
import { channels, originalTemplates, templateTones } from './original-templates.ts'

type Saved =
  | { readonly kind: 'refused'; readonly refusal: MerchantRefusal }
  | {
      readonly kind: 'saved'
      readonly items: readonly ShownTemplate[]
      readonly position: Position | null
    }

/** The words of a merchant's messages. */
export interface MerchantTemplates {
  /** @throws EventStoreUnavailable */
  list(merchantId: UserId): Promise<readonly ShownTemplate[]>
  /** All of them, or none. @throws EventStoreUnavailable */
  save(
    merchantId: UserId,
    changes: readonly TemplateChange[],
    context: CommandContext,
  ): Promise<Saved>
  /** @throws EventStoreUnavailable */
  restore(
    merchantId: UserId,
    key: TemplateKey & { readonly basedOn: number },
    context: CommandContext,
  ): Promise<Saved>
}

export function createMerchantTemplates({
  commands,
  clock,
}: {
  readonly commands: Pick<CommandHandler, 'handle' | 'loadEvents'>
  /** The business clock. */
  readonly clock: Clock
}): MerchantTemplates {
  async function list(merchantId: UserId): Promise<readonly ShownTemplate[]> {
    const events = await commands.loadEvents({
      decider: merchantDecider,
      stream: merchantStream(merchantId),
    })
    const { templates } = events.reduce(merchantDecider.evolve, merchantDecider.initialState)
    const changedAt = new Map<string, string>()
    for (const event of events)
      if (event.type === 'TemplateChanged')
        changedAt.set(`${event.data.tone} ${event.data.channel}`, event.metadata.occurredAt)
    return templateTones.flatMap((tone) =>
      channels.map((channel) => shown(templates, { tone, channel }, changedAt)),
    )
  }

  async function send(
    merchantId: UserId,
    command: MerchantCommand,
    context: CommandContext,
  ): Promise<Saved> {
    const handled = await commands.handle({
      decider: merchantDecider,
      stream: merchantStream(merchantId),
      command,
      context,
    })
    if (handled.kind === 'refused') return { kind: 'refused', refusal: handled.refusal }
    return { kind: 'saved', items: await list(merchantId), position: handled.position }
  }

  return {
    list,
    save: (merchantId, changes, context) =>
      send(
        merchantId,
        { type: 'change-templates', changes, at: clock.now().toISOString() },
        context,
      ),
    restore: (merchantId, key, context) =>
      send(
        merchantId,
        { type: 'restore-template', ...key, at: clock.now().toISOString() },
        context,
      ),
  }
}

function shown(
  templates: TemplatesState,
  key: TemplateKey,
  changedAt: ReadonlyMap<string, string>,
): ShownTemplate {
  const { own, version } = templateStateOf(templates, key)
  return {
    ...key,
    ...currentTemplate(templates, key),
    version,
    changedAt: own === null ? null : (changedAt.get(`${key.tone} ${key.channel}`) ?? null),
    original: { ...originalTemplates[key.tone][key.channel] },
  }
}
