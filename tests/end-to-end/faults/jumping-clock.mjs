import { readFileSync } from 'node:fs'

/*
 * Loaded before the product: moves its wall clock by the minutes in the file JUMP_FILE, as when an
 * operator sets the system's time. The monotonic clock does not move.
 */
const file = process.env.JUMP_FILE
const RealDate = Date
let offsetMs = 0

function read() {
  try {
    offsetMs = Number(readFileSync(file, 'utf8')) * 60_000
  } catch {
    // No jump yet.
  }
}

if (file) {
  read()
  setInterval(read, 100).unref()
  globalThis.Date = class extends RealDate {
    constructor(...parts) {
      if (parts.length === 0) super(RealDate.now() + offsetMs)
      else super(...parts)
    }
    static now() {
      return RealDate.now() + offsetMs
    }
  }
}
