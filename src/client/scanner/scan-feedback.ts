export type ScanSignal = 'success' | 'warning' | 'refusal'

interface Tone {
  /** Hertz, one after the other. */
  notes: number[]
  wave: OscillatorType
  /** For navigator.vibrate, in milliseconds. */
  vibration: number[]
}

// Number, direction and length tell them apart, also for those who hear no high notes.
const toneOf: Record<ScanSignal, Tone> = {
  success: { notes: [1320], wave: 'sine', vibration: [60] },
  warning: { notes: [880, 660], wave: 'triangle', vibration: [60, 60, 60] },
  refusal: { notes: [220, 220, 165], wave: 'square', vibration: [250, 80, 250] },
}

const noteLength = 0.11
const loudness = 0.2

let audio: AudioContext | undefined

/** Call it in a tap: browsers allow no sound before one. */
export function unlockSound(): void {
  if (typeof AudioContext === 'undefined') return
  audio ??= new AudioContext()
  if (audio.state !== 'running') audio.resume().catch(() => {})
}

/** Without a tap some browsers would log an error. */
const mayVibrate = (): boolean =>
  (navigator as { userActivation?: UserActivation }).userActivation?.hasBeenActive !== false

export function signalScan(signal: ScanSignal, { sound }: { sound: boolean }): void {
  const { notes, wave, vibration } = toneOf[signal]
  if ('vibrate' in navigator && mayVibrate()) navigator.vibrate(vibration)
  if (!sound || audio?.state !== 'running') return
  const start = audio.currentTime
  for (const [place, frequency] of notes.entries()) {
    const oscillator = audio.createOscillator()
    const gain = audio.createGain()
    const from = start + place * noteLength * 1.3
    oscillator.type = wave
    oscillator.frequency.value = frequency
    gain.gain.setValueAtTime(loudness, from)
    // A sudden end would click.
    gain.gain.exponentialRampToValueAtTime(0.001, from + noteLength)
    oscillator.connect(gain).connect(audio.destination)
    oscillator.start(from)
    oscillator.stop(from + noteLength)
  }
}
