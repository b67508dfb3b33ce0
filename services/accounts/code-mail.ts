import { brand } from '#contracts/brand'
import type { Mail } from '#services/mail/mailer'

/**
 * The mail with the sign-in code. The HTML has inline styles and tables, because mail clients
 * ignore style sheets.
 */
export function codeMail(to: string, code: string): Mail {
  const spaced = `${code.slice(0, 3)} ${code.slice(3)}`
  return {
    to,
    subject: `${code} is your sign-in code`,
    text: [
      `Your sign-in code for ${brand.name} is ${code}.`,
      '',
      'It is valid for 10 minutes and for one sign-in. A newer code replaces it.',
      'If you did not request this code, ignore this mail. Nothing happens without the code.',
      '',
      `Questions: ${brand.supportEmail}`,
    ].join('\n'),
    html: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Your sign-in code</title></head>
<body style="margin:0;background:#F4F8F8;font-family:'Instrument Sans',Arial,sans-serif;color:#06262C">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:40px 16px">
<table role="presentation" width="560" cellpadding="0" cellspacing="0" style="max-width:560px;width:100%;background:#FFFFFF">
<tr><td style="background:#06262C;color:#FFFFFF;padding:20px 36px;font-size:16px;font-weight:600"><span style="color:#FF4F1A">&#9679;</span>&nbsp; ${brand.name}</td>
<td align="right" style="background:#06262C;color:#A9C3C6;padding:20px 36px;font-size:14px">Sign-in code</td></tr>
<tr><td colspan="2" style="padding:36px 36px 12px;font-size:15px;line-height:24px;color:#3E5A60">Your sign-in code is</td></tr>
<tr><td colspan="2" style="padding:0 36px 20px;font-size:52px;line-height:56px;font-weight:700;letter-spacing:2px">${spaced}</td></tr>
<tr><td colspan="2" style="padding:0 36px 36px;font-size:15px;line-height:24px;border-bottom:1px solid #D6E1E2">It is valid for 10 minutes and for one sign-in. A newer code replaces it.</td></tr>
<tr><td colspan="2" style="background:#EDF3F3;padding:20px 36px;font-size:13px;line-height:20px;color:#3E5A60">If you did not request this code, ignore this mail. Nothing happens without the code. Questions: <a href="mailto:${brand.supportEmail}" style="color:#0B6070">${brand.supportEmail}</a></td></tr>
</table></td></tr></table></body></html>`,
  }
}
