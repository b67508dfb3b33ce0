import type { ReactNode } from 'react'
import { Panel } from '../../ui/panel.tsx'
import './message-panel.css'

interface MessagePanelProps {
  readonly title: string
  readonly text: string
  /** The buttons. */
  readonly children: ReactNode
}

/** Why the portal does not open, and what the customer can do. */
export function MessagePanel({ title, text, children }: MessagePanelProps) {
  return (
    <div className="message-panel">
      <Panel title={title}>
        <p role="status">{text}</p>
        <div className="message-actions">{children}</div>
      </Panel>
    </div>
  )
}
