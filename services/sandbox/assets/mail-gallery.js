import { fitFrames } from './fit-frames.js'

fitFrames()
