interface IconProps {
  readonly d: string
  readonly strokeWidth?: number
  readonly className?: string
}

/** 16 px line icons. The surrounding button or link has the accessible name. */
function Icon({ d, strokeWidth = 1.5, className }: IconProps) {
  return (
    <svg
      className={className}
      viewBox="0 0 16 16"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      strokeWidth={strokeWidth}
      aria-hidden="true"
    >
      <path d={d} />
    </svg>
  )
}

export const ArrowRightIcon = () => <Icon d="M2.5 8h10.6M9 3.8 13.2 8 9 12.2" strokeWidth={1.7} />
export const CloseIcon = () => <Icon d="m3.5 3.5 9 9M12.5 3.5l-9 9" />
export const PauseIcon = () => <Icon d="M5.4 3.5v9M10.6 3.5v9" strokeWidth={2} />
export const PlayIcon = () => <Icon d="m5 3.4 7.2 4.6L5 12.6Z" strokeWidth={1.7} />
export const LightIcon = () => (
  <Icon
    className="icon-light"
    d="M8 5.1a2.9 2.9 0 1 1 0 5.8 2.9 2.9 0 0 1 0-5.8ZM8 1.2v1.6M8 13.2v1.6M1.2 8h1.6M13.2 8h1.6M3.2 3.2l1.1 1.1M11.7 11.7l1.1 1.1M12.8 3.2l-1.1 1.1M4.3 11.7l-1.1 1.1"
  />
)
export const DarkIcon = () => (
  <Icon className="icon-dark" d="M13.6 9.6A6 6 0 1 1 6.4 2.4a4.7 4.7 0 0 0 7.2 7.2Z" />
)
