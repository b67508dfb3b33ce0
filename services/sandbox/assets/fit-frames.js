/** Sets the height of each frame of the page to the height of its mail. */
export function fitFrames() {
  for (const frame of document.querySelectorAll('iframe')) {
    const fit = () => {
      const mail = frame.contentDocument
      // Until the mail has loaded, the frame holds the browser's empty page.
      if (!mail || mail.readyState !== 'complete' || mail.URL === 'about:blank') return
      // A document is at least as high as its frame, so the frame gets height 0 before the measurement.
      frame.height = '0'
      frame.height = String(mail.documentElement.scrollHeight)
    }
    frame.addEventListener('load', fit)
    fit()
  }
}
