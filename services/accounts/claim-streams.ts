import type { CommandContext } from '#services/commands/command-context'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Clock } from '#services/foundation/clock'
import { StartupError } from '#services/foundation/startup-error'
import { emailStream, type StreamName } from '#services/foundation/stream-names'
import { addressHmac } from './address-hmac.ts'
import {
  emailClaimDecider,
  type EmailClaimCommand,
  type EmailClaimState,
} from './email-claim-decider.ts'
import type { EmailKeyState, EmailKeys } from './email-keys.ts'

interface LoadedClaim extends EmailClaimState {
  /** False if the address was never claimed under the keys that are set. */
  readonly wasClaimed: boolean
}

type Changing = Extract<EmailKeyState, { kind: 'changing' }>

/** Each further attempt means that a rotation began or ended meanwhile. */
const maxAttempts = 3

/**
 * The claims of each address, in the stream under the EMAIL_HMAC_KEY in use. During a rotation, the
 * stream under the new key decides as soon as it has an event. Before its first event, the stream
 * under the former key is ended, so that processes that do not know of the rotation yet cannot
 * claim the address there.
 */
export function createClaimStreams({
  commands,
  clock,
  emailKeys,
}: {
  readonly commands: CommandHandler
  readonly clock: Clock
  readonly emailKeys: EmailKeys
}) {
  const now = () => clock.now().toISOString()

  return {
    async load(email: string): Promise<LoadedClaim> {
      for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
        const state = emailKeys.state()
        const [inUse, former] =
          state.kind === 'settled' ? [state.inUse, null] : [state.to, state.from]
        const loaded = await loadUnder(inUse, email)
        if (!loaded.wasClaimed && former !== null) return loadUnder(former, email)
        if (!loaded.isMoved) return loaded
        await emailKeys.refresh()
      }
      throw movedAway()
    },

    async handle(
      email: string,
      command: EmailClaimCommand,
      context: CommandContext,
    ): Promise<EmailClaimState> {
      for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
        const state = emailKeys.state()
        const stream =
          state.kind === 'settled'
            ? streamUnder(state.inUse, email)
            : await begun(email, state, context)
        const handled = await commands.handle({
          decider: emailClaimDecider,
          stream,
          command,
          context,
        })
        // A repeated command is accepted also in a stream that has ended since.
        if (handled.kind === 'accepted' && !handled.state.isMoved) return handled.state
        await emailKeys.refresh()
      }
      throw movedAway()
    },

    /**
     * Moves the claim of an address that has an owner. False if there was nothing to move. A repeat
     * completes an interrupted move.
     */
    async move(email: string, context: CommandContext): Promise<boolean> {
      const changing = emailKeys.state()
      if (changing.kind === 'settled') return false
      const former = await loadUnder(changing.from, email)
      if (former.ownerId === null) return false
      if (former.isMoved && (await loadUnder(changing.to, email)).wasClaimed) return false
      await begun(email, changing, context)
      return true
    },
  }

  function streamUnder(key: Buffer, email: string): StreamName<'email'> {
    return emailStream(addressHmac(email, key))
  }

  async function loadUnder(key: Buffer, email: string): Promise<LoadedClaim> {
    const { state, revision } = await commands.load({
      decider: emailClaimDecider,
      stream: streamUnder(key, email),
    })
    return { ...state, wasClaimed: revision !== null }
  }

  /** Ends the stream under the former key and returns the one under the new key. */
  async function begun(
    email: string,
    { from, to }: Changing,
    context: CommandContext,
  ): Promise<StreamName<'email'>> {
    const stream = streamUnder(to, email)
    if ((await loadUnder(to, email)).wasClaimed) return stream
    const {
      state: { ownerId, claim },
    } = await commands.handle({
      decider: emailClaimDecider,
      stream: streamUnder(from, email),
      command: { type: 'move-claim', at: now() },
      context: { ...context, commandId: `${context.commandId} move` },
    })
    if (ownerId !== null)
      await commands.handle({
        decider: emailClaimDecider,
        stream,
        command: { type: 'continue-claim', userId: ownerId, claim, at: now() },
        context: { ...context, commandId: `${context.commandId} continue` },
      })
    return stream
  }
}

function movedAway(): StartupError {
  return new StartupError(
    "The claim of an address was moved to an EMAIL_HMAC_KEY that is not in use here. Run 'billing keys status' and restart this process with the keys of the product.",
  )
}
