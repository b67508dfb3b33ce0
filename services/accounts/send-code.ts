import type { z } from 'zod'
import type { requestOtpResponse } from '#contracts/auth'
import { unreachable } from '#services/foundation/decider'
import { commandContext } from '#services/http/command-context'
import type { RequestContext } from '#services/http/endpoint'
import { HttpError } from '#services/http/http-error'
import { inWords } from '#services/http/too-many-tries'
import { MailNotSent, type Mailer } from '#services/mail/mailer'
import type { ReturnTokens } from '#services/mail/return-addresses'
import type { Accounts, OpenAccount } from './accounts.ts'
import { codeMail } from './code-mail.ts'
import { codeTokenOf, requestOf } from './code-token.ts'
import type { RecipientBudget } from './recipient-budget.ts'
import type { SignInCodeStore } from './sign-in-code-store.ts'
import { codeRules } from './sign-in-code.ts'

/**
 * Mails a code to an address of the account. Waits for the mail server, so that a failure is
 * answered with 'Failed to send OTP'.
 * @throws HttpError 429 after too many codes, 502 if the mail server refused the mail
 */
export type SendCode = (
  account: OpenAccount,
  email: string,
  context: RequestContext,
) => Promise<z.input<typeof requestOtpResponse>>

export function createSendCode({
  accounts,
  codes,
  mailer,
  recipients,
  returnTokens,
}: {
  readonly accounts: Accounts
  readonly codes: SignInCodeStore
  readonly mailer: Pick<Mailer, 'send'>
  readonly recipients: RecipientBudget
  /** Name each mail in a report that it came back. */
  readonly returnTokens: Pick<ReturnTokens, 'tokenOf'>
}): SendCode {
  return async (account, email, context) => {
    const { customer, network } = context
    // Before the mark is written: a client without cookies never sends it.
    const caller = { browser: customer.browser, network }
    const issued = await accounts.hold(() =>
      codes.issue(account.userId, accounts.hmacOf(email), customer.mark(), caller),
    )
    switch (issued.kind) {
      case 'too-many':
        throw new HttpError(429, 'Maximum resend attempts reached. Please try again later.', {
          retryAfterSeconds: seconds(issued.waitMs),
        })
      case 'too-soon':
        throw new HttpError(
          429,
          `Please wait ${inWords(seconds(issued.waitMs))} before you request another code.`,
          { retryAfterSeconds: seconds(issued.waitMs) },
        )
      case 'already-sent':
        if (issued.unfinished !== null)
          await noteRequest(account, email, issued.resends, issued.unfinished, context)
        return sent(account, issued.resends, issued.waitMs)
      case 'send': {
        const giveBack = await recipients
          .spendCode(account, email, network)
          .catch(async (error: unknown) => {
            await issued.undo()
            throw error
          })
        try {
          await mailer.send({
            ...(await codeMail(email, issued.code)),
            returnToken: codeTokenOf(account, email, issued.codeId, returnTokens),
          })
          issued.mailed()
        } catch (error) {
          await issued.undo()
          await giveBack()
          if (!(error instanceof MailNotSent)) throw error
          throw new HttpError(502, 'Failed to send OTP', { retryAfterSeconds: 5, cause: error })
        }
        await noteRequest(account, email, issued.resends, issued, context)
        return sent(account, issued.resends, codeRules.resendAfterMs)
      }
      default:
        return unreachable(issued)
    }
  }

  /** Records the request of a code once, however often the request is repeated. */
  async function noteRequest(
    { userId }: OpenAccount,
    email: string,
    resend: number,
    { codeId, complete }: { readonly codeId: string; readonly complete: () => Promise<void> },
    context: RequestContext,
  ): Promise<void> {
    await accounts.noteSignIn(
      userId,
      { type: 'CodeRequested', data: { email, resend } },
      {
        ...commandContext(context, { kind: 'customer', id: userId }),
        commandId: requestOf(codeId),
      },
    )
    await complete()
  }
}

function sent(
  { userId }: OpenAccount,
  resends: number,
  waitMs: number,
): z.input<typeof requestOtpResponse> {
  return {
    userId,
    resendsLeft: Math.max(0, codeRules.maxResends - resends),
    resendAfterSeconds: seconds(waitMs),
  }
}

function seconds(ms: number): number {
  return Math.ceil(ms / 1000)
}
