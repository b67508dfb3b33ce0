/** The text that a reader of the HTML sees, without the head and the preheader. */
export function shownText(html: string): string {
  return html
    .replace(/<head>.*<\/head>/s, '')
    .replace(/<div data-skip-in-text="true".*?<\/div>/s, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/[\s\u00a0]+/g, ' ')
}

/** What a list of mails shows after the subject. */
export function preheaderOf(html: string): string {
  const text = /<div data-skip-in-text="true"[^>]*>([^<]*)/.exec(html)?.[1] ?? ''
  return text.split('\u034f', 1)[0] ?? ''
}
