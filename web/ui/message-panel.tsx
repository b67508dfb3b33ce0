import type { ReactNode } from 'react'
import { Panel } from './panel.tsx'
import './message-panel.css'

interface MessagePanelProps {
  readonly title: string
  readonly text: string
  /** The buttons. */
  readonly children: ReactNode
}

/** Why the page has no content, and what the customer can do. */
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
