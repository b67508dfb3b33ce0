import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const scripts = /<script\b([^>]*)>([\s\S]*?)<\/script>/gi
const hasAddress = /\ssrc\s*=/i
/** JSON-LD and other data. A browser does not run it, so the policy does not apply to it. */
const isData = /\stype\s*=\s*["']?[\w.-]+\/(?:[\w.-]+\+)?json\b/i

/**
 * The inline scripts of the built pages, as sources of a content security policy: `'sha256-…'`,
 * sorted, each once. Reads every `.html` file below `webRoot`, so that the policy always fits the
 * pages of this build.
 */
export function inlineScriptSources(webRoot: string): string[] {
  const sources = readdirSync(webRoot, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.html'))
    .flatMap((file) => [...readFileSync(join(webRoot, file), 'utf8').matchAll(scripts)])
    .filter(([, attributes = '']) => !hasAddress.test(attributes) && !isData.test(attributes))
    .map(([, , script = '']) => `'sha256-${hashOf(script)}'`)
  return [...new Set(sources)].sort()
}

/** A browser hashes the text after it has replaced the line ends. */
const hashOf = (script: string) =>
  createHash('sha256').update(script.replaceAll(/\r\n?/g, '\n')).digest('base64')
