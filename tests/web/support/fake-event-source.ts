import { afterEach, beforeEach } from '@jest/globals'
import { act } from '@testing-library/react'

/** An EventSource whose events a test sends. */
export class FakeEventSource extends EventTarget {
  readonly url: string
  isClosed = false
  constructor(url: string) {
    super()
    this.url = url
  }
  /** The calls that the page watches by this connection. */
  get watched(): readonly string[] {
    const watch = new URL(this.url, 'http://localhost').searchParams.get('watch') ?? ''
    return watch === '' ? [] : watch.split(',')
  }
  close(): void {
    this.isClosed = true
  }
  send(name: string, data: unknown): void {
    act(() => void this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) })))
  }
  open(): void {
    act(() => void this.dispatchEvent(new Event('open')))
  }
  fail(): void {
    act(() => void this.dispatchEvent(new Event('error')))
  }
}

/** Replaces EventSource in each test. Returns the connections that were opened, oldest first. */
export function fakeEventSources(): readonly FakeEventSource[] {
  const opened: FakeEventSource[] = []
  const before = Object.getOwnPropertyDescriptor(window, 'EventSource')
  beforeEach(() => {
    opened.length = 0
    const EventSource = class extends FakeEventSource {
      constructor(url: string) {
        super(url)
        opened.push(this)
      }
    }
    Object.defineProperty(window, 'EventSource', { value: EventSource, configurable: true })
    Object.defineProperty(globalThis, 'EventSource', { value: EventSource, configurable: true })
  })
  afterEach(() => {
    if (before) Object.defineProperty(window, 'EventSource', before)
    else Reflect.deleteProperty(window, 'EventSource')
  })
  return opened
}
