import { useId, type ReactNode } from 'react'

interface StepProps {
  readonly number: 1 | 2 | 3
  readonly title: string
  readonly note?: ReactNode
  /** The step that waits for the merchant. */
  readonly isCurrent?: boolean
  readonly children?: ReactNode
}

/** A section of the import. The needle is the edge of the section that waits. */
export function Step({ number, title, note, isCurrent = false, children }: StepProps) {
  const id = useId()
  return (
    <section
      className={isCurrent ? 'import-step import-current' : 'import-step'}
      aria-labelledby={id}
      aria-current={isCurrent ? 'step' : undefined}
    >
      <div className="import-rail">
        <span>{number}</span>
        <div>
          <h2 id={id}>{title}</h2>
          {note !== undefined && <p>{note}</p>}
        </div>
      </div>
      <div className="import-content">{children}</div>
    </section>
  )
}
