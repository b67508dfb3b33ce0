import { brand, type Brand } from '#contracts/brand/brand'
import { mailPage } from '#services/mail/mail-layout'
import type { Mail } from '#services/mail/mailer'
import { codeRules } from './sign-in-code.ts'

/**
 * The mail with the sign-in code. The subject and the preview do not contain the code: locked
 * screens and mail servers' logs show them.
 */
export function codeMail(to: string, code: string, of: Brand = brand): Mail {
  return {
    to,
    subject: `Your sign-in code for ${of.name}`,
    ...mailPage(
      {
        kind: 'Sign-in code',
        paragraphs: [
          `Enter this code to sign in to ${of.name}:`,
          `It is valid for ${codeRules.lifetimeMs / 60_000} minutes and for one sign-in. A newer code replaces it.`,
        ],
        code,
        note: 'If you did not request this code, ignore this mail. Nothing happens without the code. Our support never asks for it.',
      },
      of,
    ),
  }
}
