import Bowser from 'bowser'

/** A browser sends about 120 characters. */
const maxCharacters = 512

const browsers = new Set<string>(Object.values(Bowser.BROWSER_MAP))
const systems = new Set<string>(Object.values(Bowser.OS_MAP))

/**
 * A short name of the browser that sent a User-Agent, such as 'Firefox on Windows'. Null for an
 * unknown browser. The name consists of names that the library lists: no text of the client is in
 * it.
 */
export function browserName(userAgent: string | undefined): string | null {
  if (userAgent === undefined || userAgent === '' || userAgent.length > maxCharacters) return null
  const { browser, os } = Bowser.parse(userAgent)
  if (browser.name === undefined || !browsers.has(browser.name)) return null
  return os.name !== undefined && systems.has(os.name)
    ? `${browser.name} on ${os.name}`
    : browser.name
}
