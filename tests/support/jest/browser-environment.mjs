import { TestEnvironment } from 'jest-environment-jsdom'

/**
 * jsdom with what a browser has and jsdom lacks. Requests go through Node's own fetch family, so
 * that msw answers them; its classes only accept one another, hence the whole set.
 */
export default class BrowserEnvironment extends TestEnvironment {
  async setup() {
    await super.setup()
    Object.assign(this.global, {
      fetch,
      Headers,
      Request,
      Response,
      FormData,
      Blob,
      File,
      AbortController,
      AbortSignal,
      URL,
      URLSearchParams,
      ReadableStream,
      WritableStream,
      TransformStream,
      CompressionStream,
      DecompressionStream,
      TextEncoder,
      TextDecoder,
      TextEncoderStream,
      TextDecoderStream,
      structuredClone,
      BroadcastChannel: QuietBroadcastChannel,
      MessageChannel: TimerMessageChannel,
      ResizeObserver: Observer,
      IntersectionObserver: Observer,
      matchMedia: noMediaMatches,
      scrollTo: () => {},
    })
    if (!this.global.crypto?.subtle)
      Object.defineProperty(this.global, 'crypto', { value: crypto, configurable: true })
    this.global.Element.prototype.scrollIntoView ??= () => {}

    // jsdom computes no pseudo-elements and prints an error when antd asks for one.
    const { getComputedStyle } = this.global
    this.global.getComputedStyle = (element) => getComputedStyle.call(this.global, element)
  }
}

/** Node's own keeps the process, and so jest, alive until somebody closes it. */
class QuietBroadcastChannel extends BroadcastChannel {
  constructor(name) {
    super(name)
    this.unref()
  }
}

/** antd's Form and Select and React's scheduler open channels and never close them; Node's would keep jest alive for ever. */
class TimerMessageChannel {
  port1 = new TimerMessagePort()
  port2 = new TimerMessagePort()

  constructor() {
    this.port1.other = this.port2
    this.port2.other = this.port1
  }
}

class TimerMessagePort extends EventTarget {
  onmessage = null

  postMessage(data) {
    setTimeout(() => {
      const event = new MessageEvent('message', { data })
      this.other.onmessage?.(event)
      this.other.dispatchEvent(event)
    }, 0)
  }

  start() {}

  close() {}
}

/** Nothing is laid out, so nothing is ever resized or scrolled into view. */
class Observer {
  observe() {}

  unobserve() {}

  disconnect() {}

  takeRecords() {
    return []
  }
}

function noMediaMatches(media) {
  return {
    media,
    matches: false,
    onchange: null,
    addEventListener() {},
    removeEventListener() {},
    addListener() {},
    removeListener() {},
    dispatchEvent: () => false,
  }
}
