/** From the top left corner of what it is in, in millimetres unless who takes it says otherwise. */
export type Box = { x: number; y: number; width: number; height: number }
