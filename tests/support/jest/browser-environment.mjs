import { TestEnvironment } from 'jest-environment-jsdom'
import { trackAsyncStorages } from './async-storages.mjs'
import { handInState } from './file-blocks.mjs'

/**
 * jsdom with the parts of a browser that jsdom lacks. Requests use Node's fetch, so that msw
 * answers them. Node's fetch classes accept only each other, so all of them replace those of jsdom.
 */
export default class BrowserEnvironment extends TestEnvironment {
  #disableStorages = trackAsyncStorages()

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

    // jsdom does not compute pseudo-elements, and prints an error when antd requests one.
    const { getComputedStyle } = this.global
    this.global.getComputedStyle = (element) => getComputedStyle.call(this.global, element)
  }

  handleTestEvent(event, state) {
    handInState(this.global, event, state)
  }

  async teardown() {
    this.#disableStorages()
    await super.teardown()
  }
}

/** Node's BroadcastChannel keeps the process and jest alive until it is closed. */
class QuietBroadcastChannel extends BroadcastChannel {
  constructor(name) {
    super(name)
    this.unref()
  }
}

/**
 * antd's Form and Select and React's scheduler open channels and do not close them. Node's channels
 * would keep jest alive.
 */
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

/** jsdom has no layout, so no element is resized or scrolled into view. */
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
