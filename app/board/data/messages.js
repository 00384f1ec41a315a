/**
 * The messages between the board and its Python half, described in `messages.py` and written from
 * it by `python -m tests.js.message_types`.
 *
 * @typedef {{type: "manifest", json: string}} ManifestMessage
 * @typedef {{type: "frame", bytes: ArrayBuffer, stale: number[]}} FrameMessage
 * @typedef {{type: "stale", stale: number[]}} StaleMessage
 * @typedef {{type: "move", index: number, before: string, json: string}} MoveMessage
 * @typedef {{type: "orbit", bytes: ArrayBuffer, path: string, i: number, j: number, values:
 *   number[], period: number}} OrbitMessage
 * @typedef {{type: "orbit_end"}} OrbitEndMessage
 * @typedef {{type: "selection" | "preview", path: string | null, i: number, j: number, operands:
 *   [string, number, number, number, number][]}} SelectionMessage
 * @typedef {{type: "look", camera: [number, number, number] | null}} LookMessage
 * @typedef {{type: "follow", word: [string, number] | null, back: [string, number] | null}}
 *   FollowMessage
 * @typedef {{type: "lens", json: string}} LensMessage
 * @typedef {{palette: "blue-red" | "safe", scale: "fixed" | "matrix", numbers: "scientific" |
 *   "decimal", plane: "value" | "gradient" | "change" | "patch", all_numbers: boolean, type:
 *   "view"}} ViewMessage
 * @typedef {{type: "step", fresh: boolean, bytes: ArrayBuffer | null}} StepMessage
 * @typedef {{type: "scenario", scenario: string, steps: string, file: string | null, version:
 *   number}} ScenarioMessage
 * @typedef {{type: "link", code: string | null}} LinkMessage
 * @typedef {{type: "baseline", bytes: ArrayBuffer | null}} BaselineMessage
 * @typedef {ManifestMessage | FrameMessage | StaleMessage | MoveMessage | OrbitMessage |
 *   OrbitEndMessage | SelectionMessage | LookMessage | FollowMessage | LensMessage | ViewMessage |
 *   StepMessage | ScenarioMessage | LinkMessage | BaselineMessage} ToBoard
 * @typedef {{type: "ready", link?: string | null, saved?: Uint8Array | string | null, steps?:
 *   Uint8Array | string | null, file?: Uint8Array | string | null, again?: boolean, unsent?:
 *   boolean}} ReadyMessage
 * @typedef {{type: "ack", seq: number}} AckMessage
 * @typedef {{type: "visible", indices: number[], version: number}} VisibleMessage
 * @typedef {{type: "set", path: string, i: number, j: number, value: number, of?: string, ack?:
 *   number, press?: number, held?: boolean}} SetMessage
 * @typedef {{type: "release"}} ReleaseMessage
 * @typedef {{type: "select", path: string | null, i: number, j: number, press?: number, of?:
 *   string}} SelectMessage
 * @typedef {{type: "hover", path: string | null, i: number, j: number}} HoverMessage
 * @typedef {{type: "restore", path: string, i: number, j: number, of?: string, press?: number}}
 *   RestoreMessage
 * @typedef {{type: "silence", path: string, row?: number | null, column?: number | null, to?:
 *   "zero" | "mean" | null, of?: string}} SilenceMessage
 * @typedef {{type: "oscillate", on: boolean, amplitude?: number | null, period?: number | null}}
 *   OscillateMessage
 * @typedef {{type: "focus", scope: string, head: number, is_of_any?: boolean}} FocusMessage
 * @typedef {{scope: string, head: number, query: number, key: number, of?: string, type: "pair"}}
 *   PairMessage
 * @typedef {{scope: string, head: number, query: number, key: number, of?: string, type:
 *   "look_only", everywhere: boolean}} LookOnlyMessage
 * @typedef {{scope: string, head: number, query: number, key: number, of?: string, type: "pull",
 *   value: number}} PullMessage
 * @typedef {{type: "window", path: string, row: number, column: number}} WindowMessage
 * @typedef {{type: "choose", name: string, number: number}} ChooseMessage
 * @typedef {{type: "place", name: "view" | "form" | "drawer" | "camera" | "followed" | "unfolded",
 *   value: string | boolean | (string | number)[] | null}} PlaceMessage
 * @typedef {{type: "setting", name: string, value: unknown}} SettingMessage
 * @typedef {{type: "plane", value: "value" | "gradient"}} PlaneMessage
 * @typedef {{type: "goto", place: string}} GotoMessage
 * @typedef {{type: "link"}} AskLinkMessage
 * @typedef {{type: "unkept"}} UnkeptMessage
 * @typedef {{type: "undo"}} UndoMessage
 * @typedef {{type: "redo"}} RedoMessage
 * @typedef {{type: "changes"}} ChangesMessage
 * @typedef {{type: "train"}} TrainMessage
 * @typedef {{type: "escape"}} EscapeMessage
 * @typedef {ReadyMessage | AckMessage | VisibleMessage | SetMessage | ReleaseMessage |
 *   SelectMessage | HoverMessage | RestoreMessage | SilenceMessage | OscillateMessage |
 *   FocusMessage | PairMessage | LookOnlyMessage | PullMessage | WindowMessage | ChooseMessage |
 *   PlaceMessage | SettingMessage | PlaneMessage | GotoMessage | AskLinkMessage | UnkeptMessage |
 *   UndoMessage | RedoMessage | ChangesMessage | TrainMessage | EscapeMessage} FromBoard
 */
