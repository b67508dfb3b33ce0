import type { ComingStep } from '#contracts/receivables/messages'
import { unreachable } from '../../../lib/unreachable.ts'
import { MessageDialog } from './message-dialog.tsx'
import { SendNowDialog } from './send-now-dialog.tsx'
import { SkipStepDialog } from './skip-step-dialog.tsx'

/** What a page of an invoice or a client opens about messages. */
export type OpenedMessage =
  | { readonly kind: 'words'; readonly messageId: string }
  | { readonly kind: 'send-now' }
  | { readonly kind: 'skip'; readonly step: ComingStep }

interface MessageDialogsProps {
  readonly opened: OpenedMessage | null
  readonly clientId: string
  readonly timeZone: string
  readonly onClose: () => void
}

export function MessageDialogs({ opened, clientId, timeZone, onClose }: MessageDialogsProps) {
  if (opened === null) return null
  switch (opened.kind) {
    case 'words':
      return (
        <MessageDialog
          clientId={clientId}
          messageId={opened.messageId}
          timeZone={timeZone}
          onClose={onClose}
        />
      )
    case 'send-now':
      return <SendNowDialog clientId={clientId} onClose={onClose} />
    case 'skip':
      return <SkipStepDialog step={opened.step} onClose={onClose} />
    default:
      return unreachable(opened)
  }
}
