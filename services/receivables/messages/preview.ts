import type { PreviewResponse } from '#contracts/receivables/templates'
import type { TimeLine } from '#services/mail/mail-content'
import { maxUnits } from '#services/sms/segments'
import type { MailTemplate } from '../templates/original-templates.ts'
import { refusedLength } from '../templates/refused-template.ts'
import type { MessageData } from './message-data.ts'
import { messageContent } from './reminder-content.ts'
import { filledText, renderReminderText } from './render-reminder-text.ts'

/** What would be sent with these words: the same content as that of the mail and the text. */
export function previewOf(
  { mail, text }: { readonly mail: MailTemplate; readonly text: string },
  data: MessageData,
  usual: MessageData,
  productName: string,
): Omit<PreviewResponse, 'isExample'> {
  const {
    action,
    line,
    descriptions: rows,
    foot,
    ...content
  } = messageContent(mail, data, productName)
  const { subject, topic, figures, words } = content
  const { units, segments, alphabet } = filledText(text, data)
  return {
    clientName: data.clientName,
    mail: {
      fromName: data.sender.name,
      subject,
      topic,
      figures: [...figures],
      words: [...words],
      action: action.label,
      line: line === null ? null : shownLine(line),
      facts: rows.map(({ term, value, isSum = false }) => ({ term, value, isSum })),
      foot: { ...foot, stop: foot.stop.label },
    },
    text: {
      body: renderReminderText(text, data).body,
      units,
      mostUnits: maxUnits(alphabet),
      segments,
      alphabet,
      problem: refusedLength(text, usual),
    },
  }
}

/** Without `now` the needle is at the end. */
function shownLine({ start, end, now }: TimeLine) {
  const shown = ({ label, date }: TimeLine['start']) => ({ label, date })
  return {
    start: shown(start),
    end: shown(end),
    now: now === undefined ? 1 : Math.min(1, Math.max(0, now.share)),
  }
}
