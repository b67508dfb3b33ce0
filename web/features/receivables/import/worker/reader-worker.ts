import { createReader } from './create-reader.ts'
import { serveReader } from './serve-reader.ts'

// The browser starts this file as a worker: start-reader.ts.

/** Browsers offer it on https and on localhost. */
async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string | null> {
  if (!globalThis.isSecureContext) return null
  const digest = await crypto.subtle.digest('SHA-256', bytes)
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

serveReader(globalThis, createReader(sha256))
