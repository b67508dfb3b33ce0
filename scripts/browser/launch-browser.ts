import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { chromium, type Browser } from 'playwright'
import { unpackBundledChromium, type Chromium } from './bundled-chromium.ts'

const flags = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

interface BrowserOptions {
  /** Another program can control the browser through this port of the loopback interface. */
  readonly debuggingPort?: number
}

/**
 * Starts a Chromium: the program in `CHROMIUM_PATH`, else an installed one, else the one from npm.
 * `CHROMIUM_PATH=bundled` selects the one from npm. The caller closes the browser.
 */
export async function launchBrowser({ debuggingPort }: BrowserOptions = {}): Promise<Browser> {
  const { executablePath, env } = await findChromium()
  return chromium.launch({
    executablePath,
    env: { ...definedEnvironment(), ...env },
    headless: true,
    chromiumSandbox: false,
    args: debuggingPort ? [...flags, `--remote-debugging-port=${debuggingPort}`] : flags,
  })
}

async function findChromium(): Promise<Chromium> {
  const wanted = process.env.CHROMIUM_PATH
  if (wanted && wanted !== 'bundled') {
    if (await isExecutable(wanted)) return { executablePath: wanted, env: {} }
    throw new Error(
      `CHROMIUM_PATH is ${wanted}, which is no program: correct it, or unset it to use an installed browser or the one from npm.`,
    )
  }
  if (!wanted) {
    for (const executablePath of ['/usr/bin/chromium', ...onPath('google-chrome')]) {
      if (await isExecutable(executablePath)) return { executablePath, env: {} }
    }
  }
  return unpackBundledChromium()
}

function onPath(program: string): string[] {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((directory) => join(directory, program))
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}

function definedEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  )
}
