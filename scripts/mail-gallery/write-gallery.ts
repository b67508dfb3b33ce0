import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brand } from '#contracts/brand/brand'
import { codeMail } from '#services/accounts/code-mail'
import { renderNotification } from '#services/notifications/render-notification'
import { renderText } from '#services/notifications/render-text'
import { renderReminderMail } from '#services/receivables/messages/render-reminder-mail'
import { renderReminderText } from '#services/receivables/messages/render-reminder-text'
import { samplePublicUrl } from './sample-data.ts'
import { sampleNotifications, sampleTexts } from './sample-notifications.ts'
import { sampleReminders } from './sample-reminders.ts'

/*
 * Writes every mail and text with invented data into `<directory>/gallery.json`. The build runs it,
 * because the sandbox, which shows the gallery, imports nothing of the product.
 */

const [directory] = process.argv.slice(2)
if (directory === undefined) throw new Error('Pass the directory of the gallery.')

const code = await codeMail('dana@birchwood.example', '407192')
const mails = await Promise.all(
  sampleNotifications.map(async ({ id, message }) => ({
    id,
    ...(await renderNotification(message, { brand, publicUrl: samplePublicUrl })),
  })),
)
const reminders = await Promise.all(
  sampleReminders.map(async ({ id, message: { mail, data } }) => ({
    id,
    ...(await renderReminderMail(mail, data, brand)),
  })),
)
const reminderTexts = sampleReminders.map(({ id, message: { text, data } }) => ({
  id: `${id}-text`,
  subject: null,
  html: null,
  text: renderReminderText(text.body, data).body,
}))
const texts = sampleTexts.map(({ id, message }) => ({
  id,
  subject: null,
  html: null,
  text: renderText(message, { brand }),
}))

mkdirSync(directory, { recursive: true })
writeFileSync(
  join(directory, 'gallery.json'),
  JSON.stringify(
    [{ id: 'sign-in-code', ...code }, ...mails, ...reminders, ...texts, ...reminderTexts].map(
      ({ id, subject, html, text }) => ({ id, subject, html, text }),
    ),
  ),
)
