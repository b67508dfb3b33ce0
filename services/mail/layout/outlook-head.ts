/**
 * What only Outlook for Windows reads. Its engine is Word's: it ignores max-width, scales images
 * and tables by the display's resolution, and falls back to Times New Roman after an unknown font.
 */
const outlookHead =
  '<!--[if mso]><style>.mail{width:600px!important}' +
  'body,table,td,p,a,span{font-family:Arial,sans-serif!important}</style>' +
  '<xml><o:OfficeDocumentSettings xmlns:o="urn:schemas-microsoft-com:office:office">' +
  '<o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml><![endif]-->'

/** React writes no comments, so the conditional comment is added to the rendered document. */
export function withOutlookHead(html: string): string {
  return html.replace('</head>', `${outlookHead}</head>`)
}
