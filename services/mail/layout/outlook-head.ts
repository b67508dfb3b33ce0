/**
 * What only Outlook for Windows reads. Its engine is Word's: it ignores max-width, scales images
 * and tables by the display's resolution, and falls back to Times New Roman after an unknown font.
 */
const outlookHead =
  '<!--[if mso]><style>' +
  'body,table,td,p,a,span{font-family:Arial,sans-serif!important}</style>' +
  '<xml><o:OfficeDocumentSettings xmlns:o="urn:schemas-microsoft-com:office:office">' +
  '<o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml><![endif]-->'

const columnStart =
  '<!--[if mso]><table role="presentation" width="600" align="center" cellpadding="0" ' +
  'cellspacing="0" border="0"><tr><td><![endif]-->'
const columnEnd = '<!--[if mso]></td></tr></table><![endif]-->'

/** The element around the mail's column. React writes no comments, so they replace this element. */
export const columnElement = 'mail-column'

/** The rendered document with the conditional comments for Outlook. */
export function withOutlookParts(html: string): string {
  return html
    .replace('</head>', `${outlookHead}</head>`)
    .replace(`<${columnElement}>`, columnStart)
    .replace(`</${columnElement}>`, columnEnd)
}
