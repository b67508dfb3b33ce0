import type { AddressHmac } from '#contracts/ids'
import { codeMail } from '#services/accounts/code-mail'
import type { CodeCaller, CodeProof, SignInCodeStore } from '#services/accounts/sign-in-code-store'
import type { TryOutcome } from '#services/accounts/sign-in-code'
import type { Administrator } from '#services/administrators/administrators-state'
import { unreachable } from '#services/foundation/decider'
import { spendAll, type GiveBack } from '#services/http/counted-tries'
import type { RequestContext } from '#services/http/endpoint'
import { HttpError } from '#services/http/http-error'
import type { Limits } from '#services/http/limits'
import { inWords } from '#services/http/too-many-tries'
import { MailNotSent, type Mailer } from '#services/mail/mailer'

/** The address that was typed. `person` is null if no administrator has it. */
export interface TypedAddress {
  readonly email: string
  readonly person: Administrator | null
}

export interface MatchedCode {
  readonly outcome: 'matches'
  readonly person: Administrator
  readonly proof: CodeProof
}

type TriedCode = MatchedCode | { readonly outcome: Exclude<TryOutcome, 'matches'> }

export interface CodeStep {
  /**
   * Issues a code. Its mail is sent after the answer.
   * @throws HttpError 429 after too many codes, 502 if the mail server is away. GateIsFull
   */
  send(typed: TypedAddress, context: RequestContext): Promise<void>
  /** Compares the code. Only the browser that gave the password has a code. @throws GateIsFull */
  tryCode(typed: TypedAddress, code: string, context: RequestContext): Promise<TriedCode>
}

/**
 * The second step of a named administrator's sign-in. An address without an administrator takes the
 * same steps: its codes are counted, issued and compared, and only the mail is missing. So no
 * answer, no limit and no time shows which addresses administrators have. For this reason the mail
 * is sent, and an unknown address is recorded, after the answer.
 */
export function createCodeStep({
  codes,
  mailer,
  hmacOf,
  limits,
  noteUnknown,
}: {
  readonly codes: SignInCodeStore
  readonly mailer: Pick<Mailer, 'check' | 'send'>
  readonly hmacOf: (email: string) => AddressHmac
  readonly limits: Pick<Limits, 'adminCodeMails'>
  readonly noteUnknown: (context: RequestContext) => Promise<void>
}): CodeStep {
  const idOf = ({ person, email }: TypedAddress): string =>
    person?.adminId ?? `unknown ${hmacOf(email)}`

  return {
    async send(typed, context) {
      const giveBack = await spendAll([[limits.adminCodeMails, hmacOf(typed.email)]])
      try {
        await checkMailServer()
        const deliver = await issue(typed, giveBack, context)
        void deliver().catch((error: unknown) =>
          context.log.warn({ err: error }, 'The code of an administrator was not delivered.'),
        )
      } catch (error) {
        await giveBack()
        throw error
      }
    },

    async tryCode(typed, code, context) {
      const id = idOf(typed)
      const caller = callerOf(context)
      if (!(await codes.isRequester(id, caller))) return { outcome: 'wrong' }
      const tried = await codes.tryCode(id, code, caller)
      if (tried.outcome !== 'matches') return { outcome: tried.outcome }
      // The code of an unknown address was mailed to no mailbox. This was a guess.
      if (typed.person === null) return { outcome: 'wrong' }
      return { outcome: 'matches', person: typed.person, proof: tried.proof }
    },
  }

  async function checkMailServer(): Promise<void> {
    await mailer.check().catch((error: unknown) => {
      if (!(error instanceof MailNotSent)) throw error
      throw new HttpError(502, 'The mail with the code could not be sent. Try again in a moment.', {
        retryAfterSeconds: 5,
        cause: error,
      })
    })
  }

  /** Returns what is left to do after the answer. */
  async function issue(
    typed: TypedAddress,
    giveBack: GiveBack,
    context: RequestContext,
  ): Promise<() => Promise<void>> {
    const { email, person } = typed
    const issued = await codes.issue(
      idOf(typed),
      hmacOf(email),
      context.admin.mark(),
      callerOf(context),
    )
    switch (issued.kind) {
      case 'already-sent':
        return async () => issued.unfinished?.complete()
      case 'too-soon':
      case 'too-many': {
        const retryAfterSeconds = Math.ceil(issued.waitMs / 1_000)
        throw new HttpError(
          429,
          `Please wait ${inWords(retryAfterSeconds)} before you request another code.`,
          { retryAfterSeconds },
        )
      }
      case 'send':
        return async () => {
          try {
            if (person === null) await noteUnknown(context)
            else await mailer.send(await codeMail(email, issued.code))
            issued.mailed()
          } catch (error) {
            await issued.undo()
            await giveBack()
            throw error
          }
          await issued.complete()
        }
      default:
        return unreachable(issued)
    }
  }
}

/** A browser without a mark has no code, whatever its network requested. */
function callerOf({ admin, network }: RequestContext): CodeCaller {
  return { browser: admin.browser ?? 'no mark', network }
}
