import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'

interface PageProps {
  readonly title: string
  /** Class of the body; the style sheet selects the pages by it. */
  readonly kind: 'checkout' | 'portal' | 'inbox' | 'notice'
  /** An optional script; the page also works without it. */
  readonly script?: string
  /** Interval of the page's reload if scripts are disabled. */
  readonly refreshSeconds?: number
  readonly children: ReactNode
}

/** Renders the HTML document. React escapes typed and mailed text. */
export function renderPage(props: PageProps): string {
  return `<!doctype html>${renderToStaticMarkup(<Page {...props} />)}`
}

function Page({ title, kind, script, refreshSeconds, children }: PageProps) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{title}</title>
        <link rel="icon" href="/assets/favicon.svg" type="image/svg+xml" />
        <link
          rel="preload"
          href="/assets/fonts/instrument-sans.woff2"
          as="font"
          type="font/woff2"
          crossOrigin="anonymous"
        />
        <link rel="stylesheet" href="/assets/styles.css" />
        {refreshSeconds !== undefined && (
          <noscript>
            <meta httpEquiv="refresh" content={String(refreshSeconds)} />
          </noscript>
        )}
        {script !== undefined && <script src={script} type="module" />}
      </head>
      <body className={`sandbox-${kind}`}>
        <aside className="sandbox-stripe" aria-label="About this page">
          Sandbox. No card is charged.
        </aside>
        {children}
      </body>
    </html>
  )
}
