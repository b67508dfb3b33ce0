import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { escapeMarkup } from '#contracts/escape-markup'
import { StartupError } from '#services/foundation/startup-error'

export interface PortalDocument {
  readonly title: string
  /** Six hexadecimal digits. */
  readonly color: string
  readonly body: ReactElement
}

const file = 'client-portal.html'

/**
 * Puts pages into the HTML file that the build made, with its style sheet and its script.
 * @throws StartupError if the pages are not built
 */
export function createPortalDocuments(webRoot: string): (document: PortalDocument) => string {
  const path = join(webRoot, file)
  if (!existsSync(path))
    throw new StartupError(
      `The pages are not built: ${path} is missing. Run npm run build, or start with npm start.`,
    )
  const template = readFileSync(path, 'utf8')
  return ({ title, color, body }) => {
    const parts: Readonly<Record<string, string>> = {
      '<!--title-->': `<title>${escapeMarkup(title)}</title>`,
      '<!--brand-->': `<link rel="stylesheet" href="/pay-brand/${color}.css">`,
      '<!--portal-->': renderToStaticMarkup(body),
    }
    return template.replaceAll(/<!--(?:title|brand|portal)-->/g, (mark) => parts[mark] ?? '')
  }
}
