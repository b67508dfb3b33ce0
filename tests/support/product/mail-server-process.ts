import { startMailServer } from './mail-server.ts'

/** A program: a mail server that sends its port and each accepted mail to the test. */
const server = await startMailServer()
process.send?.({ port: server.port })
let sent = 0
setInterval(() => {
  for (; sent < server.mails.length; sent += 1) {
    const { messageId, subject, text, to } = server.mails[sent] ?? {}
    process.send?.({ messageId, subject, text, to: to?.[0]?.address })
  }
}, 50)
process.once('disconnect', () => process.exit())
