import { brand, type Brand, type BrandColors } from '#contracts/brand/brand'
import { markup, type Markup } from './markup.ts'
import type { Mail } from './mailer.ts'

/** The content of a mail. The texts are plain: the layout escapes them. */
interface MailPage {
  /** The kind of mail, in the head: 'Sign-in code'. */
  readonly kind: string
  /** Full sentences. A list of mails shows the first one as the preview. */
  readonly paragraphs: readonly [string, ...string[]]
  /** Shown large after the first paragraph. */
  readonly code?: string
  /** In small text above the support address: what a reader does who did not cause the mail. */
  readonly note?: string
}

/** The text and the HTML of a mail, in the brand's layout. Both have the same content. */
export function mailPage(page: MailPage, of: Brand = brand): Pick<Mail, 'text' | 'html'> {
  return { text: textOf(page, of), html: documentOf(page, of).source }
}

/** The sender of the brand's mails, as a mail header has it. */
export function senderOf({ name, senderEmail }: Brand): string {
  return `"${name.replace(/["\\]/g, '\\$&')}" <${senderEmail}>`
}

function textOf({ paragraphs: [first, ...others], code, note }: MailPage, of: Brand): string {
  return [first, code, ...others, note, `Questions: ${of.supportEmail}`, of.name]
    .filter((part) => part !== undefined)
    .join('\n\n')
}

/**
 * Tables and inline styles, because many mail programs ignore style elements. Programs with a dark
 * display read the style element.
 */
function documentOf(page: MailPage, { name, supportEmail, light, dark }: Brand): Markup {
  return markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${page.kind}</title>
<style>${darkStyle(dark)}</style></head>
<body class="ground" style="margin:0;background:${light.ground};font-family:'Instrument Sans',Arial,sans-serif">
<div style="display:none">${page.paragraphs[0]}</div>
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" style="background:${light.ground}"><tr><td align="center" style="padding:40px 16px">
<table role="presentation" class="surface" width="560" cellpadding="0" cellspacing="0" style="max-width:560px;width:100%;background:${light.surface}">
<tr><td class="deep on-deep" style="background:${light.deep};color:${light.onDeep};padding:20px 12px 20px 36px;font-size:16px;font-weight:600"><span class="accent" style="color:${light.accent}">&#9679;</span>&nbsp; ${name}</td>
<td class="deep on-deep-2" align="right" style="background:${light.deep};color:${light.onDeep2};padding:20px 36px 20px 12px;font-size:14px">${page.kind}</td></tr>
<tr><td colspan="2" class="ink" style="padding:36px 36px 20px;font-size:15px;line-height:24px;color:${light.ink}">${contentOf(page)}</td></tr>
<tr><td colspan="2" class="surface-2 ink-2" style="background:${light.surface2};border-top:1px solid ${light.rule};padding:20px 36px;font-size:13px;line-height:20px;color:${light.ink2}">${page.note === undefined ? '' : `${page.note} `}Questions: <a class="link" href="mailto:${supportEmail}" style="color:${light.link}">${supportEmail}</a></td></tr>
</table></td></tr></table></body></html>`
}

function contentOf({ paragraphs: [first, ...others], code }: MailPage): readonly Markup[] {
  const paragraph = (text: string) => markup`<p style="margin:0 0 16px">${text}</p>\n`
  return [
    paragraph(first),
    ...(code === undefined ? [] : [codeLine(code)]),
    ...others.map(paragraph),
  ]
}

/** The gap between the halves is no space, so that a copy of the code has no space. */
function codeLine(code: string): Markup {
  const middle = Math.ceil(code.length / 2)
  return markup`<p style="margin:0 0 20px;font-size:48px;line-height:56px;font-weight:700;letter-spacing:2px"><span style="-webkit-user-select:all;user-select:all"><span>${code.slice(0, middle)}</span><span style="padding-left:14px">${code.slice(middle)}</span></span></p>\n`
}

/** An inline style has priority over a style element, hence `!important`. */
function darkStyle(dark: BrandColors): Markup {
  return markup`@media (prefers-color-scheme:dark){.ground{background:${dark.ground}!important}.surface{background:${dark.surface}!important}.surface-2{background:${dark.surface2}!important;border-color:${dark.rule}!important}.deep{background:${dark.deep}!important;border-bottom:1px solid ${dark.rule}}.on-deep{color:${dark.onDeep}!important}.on-deep-2{color:${dark.onDeep2}!important}.ink{color:${dark.ink}!important}.ink-2{color:${dark.ink2}!important}.link{color:${dark.link}!important}.accent{color:${dark.accent}!important}}`
}
