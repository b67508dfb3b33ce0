import { brand, type Brand } from '#contracts/brand/brand'
import type { Mail } from '#services/mail/mailer'
import { renderMail, type RenderedContent } from '#services/mail/render-mail'
import { codeRules } from './sign-in-code.ts'

/**
 * The mail with the sign-in code. The subject and the preview do not contain the code: locked
 * screens and mail servers' logs show them.
 */
export async function codeMail(to: string, code: string, of: Brand = brand): Promise<Mail> {
  const { html, text } = await renderedOnce(of)
  return { to, subject: subjectOf(of), html: withCode(html, code), text: withCode(text, code) }
}

const subjectOf = ({ name }: Brand) => `Your sign-in code for ${name}`

const rendered = new WeakMap<Brand, RenderedContent>()

/** Only the code differs between two mails, so a sign-in does not wait for the renderer. */
async function renderedOnce(of: Brand): Promise<RenderedContent> {
  const known = rendered.get(of) ?? (await render(of))
  rendered.set(of, known)
  return known
}

/** One private-use character per digit of the code: no text of a mail has these characters. */
const firstSlot = 0xe000
const slots = String.fromCharCode(
  ...Array.from({ length: codeRules.digits }, (_, index) => firstSlot + index),
)

function withCode(source: string, code: string): string {
  return source.replaceAll(/[\ue000-\ue00f]/g, (slot) =>
    code.charAt(slot.charCodeAt(0) - firstSlot),
  )
}

function render(of: Brand): Promise<RenderedContent> {
  const validity = `It is valid for ${codeRules.lifetimeMs / 60_000} minutes and for one sign-in.`
  return renderMail(
    {
      subject: subjectOf(of),
      topic: 'Sign-in code',
      preheader: validity,
      blocks: [
        { type: 'paragraph', text: `Enter this code to sign in to ${of.name}:` },
        { type: 'code', code: slots },
        { type: 'paragraph', text: `${validity} A newer code replaces it.` },
      ],
      note: 'If you did not request this code, ignore this mail. Nothing happens without the code. Our support never asks for it.',
    },
    of,
  )
}
