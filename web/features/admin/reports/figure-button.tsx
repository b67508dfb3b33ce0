interface FigureButtonProps {
  readonly text: string
  /** What the figure is: `net, Jan 2028`. */
  readonly title: string
  readonly onPress: () => void
}

/** A figure that opens its events. */
export function FigureButton({ text, title, onPress }: FigureButtonProps) {
  return (
    <button
      type="button"
      className={`figure-button num ${/[1-9]/.test(text) ? '' : 'is-zero'}`}
      aria-label={`${text}, ${title}: show the events`}
      onClick={onPress}
    >
      {text}
    </button>
  )
}
