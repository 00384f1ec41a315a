/**
 * The messages between the board and its Python half, written from `messages.py` by
 * `python -m tests.js.message_types`.
 */

/**
 * A new structure; its JSON travels as text, which is cheaper to send than nested objects.
 * @typedef {object} ManifestMessage
 * @property {"manifest"} type
 * @property {string} json
 */

/**
 * Matrices that changed; the bytes are those of `wire.pack`.
 *
 * The browser's numbers of the matrices in `stale` may be out of date: these are off screen, and
 * are sent when there is time.
 * @typedef {object} FrameMessage
 * @property {"frame"} type
 * @property {ArrayBuffer} bytes
 * @property {number[]} stale
 */

/**
 * The matrices that may still be out of date; the others were read and have not changed.
 * @typedef {object} StaleMessage
 * @property {"stale"} type
 * @property {number[]} stale
 */

/**
 * Draws another part of a matrix in place of `before`; `json` is what changes about it.
 * @typedef {object} MoveMessage
 * @property {"move"} type
 * @property {number} index
 * @property {string} before
 * @property {string} json
 */

/**
 * The frames of an oscillation; the bytes are those of `wire.pack`.
 * @typedef {object} OrbitMessage
 * @property {"orbit"} type
 * @property {ArrayBuffer} bytes
 * @property {string} path
 * @property {number} i
 * @property {number} j
 * @property {number[]} values
 * @property {number} period
 */

/**
 * The oscillation is over.
 * @typedef {object} OrbitEndMessage
 * @property {"orbit_end"} type
 */

/**
 * The selected cell, or the one under the pointer, and what it was computed from.
 * @typedef {object} SelectionMessage
 * @property {"selection" | "preview"} type
 * @property {string | null} path
 * @property {number} i
 * @property {number} j
 * @property {[string, number, number, number, number][]} operands
 */

/**
 * The visible part of the whole picture (x, y, zoom).
 * @typedef {object} LookMessage
 * @property {"look"} type
 * @property {[number, number, number] | null} camera
 */

/**
 * The word that is followed; `back` is the one behind a selected number.
 * @typedef {object} FollowMessage
 * @property {"follow"} type
 * @property {[string, number] | null} word
 * @property {[string, number] | null} back
 */

/**
 * The words that the output would read off rows; as text, path -> a word for each row.
 * @typedef {object} LensMessage
 * @property {"lens"} type
 * @property {string} json
 */

/**
 * How numbers are drawn from now on.
 * @typedef {object} ViewMessage
 * @property {"blue-red" | "safe"} palette
 * @property {"fixed" | "matrix"} scale
 * @property {"scientific" | "decimal"} numbers
 * @property {"value" | "gradient" | "change" | "patch"} plane
 * @property {boolean} all_numbers
 * @property {"view"} type
 */

/**
 * The changes in the next frames belong to another step of the user, or to undo or redo.
 *
 * `fresh`: a lesson begins or ends with them, so that they are shown as no change.
 * `bytes`: the values before the step, for a browser that has not shown them.
 * @typedef {object} StepMessage
 * @property {"step"} type
 * @property {boolean} fresh
 * @property {ArrayBuffer | null} bytes
 */

/**
 * The session as JSON for the tab to keep, with the steps of undo and its version.
 *
 * `file` is the file of its model as JSON, empty without one; None if the tab has it already.
 * @typedef {object} ScenarioMessage
 * @property {"scenario"} type
 * @property {string} scenario
 * @property {string} steps
 * @property {string | null} file
 * @property {number} version
 */

/**
 * The code of the link that was asked for; None where it would be too long.
 * @typedef {object} LinkMessage
 * @property {"link"} type
 * @property {string | null} code
 */

/**
 * The values of matrices when they were pinned; without bytes nothing is pinned.
 * @typedef {object} BaselineMessage
 * @property {"baseline"} type
 * @property {ArrayBuffer | null} bytes
 */

/**
 * @typedef {ManifestMessage
 *   | FrameMessage
 *   | StaleMessage
 *   | MoveMessage
 *   | OrbitMessage
 *   | OrbitEndMessage
 *   | SelectionMessage
 *   | LookMessage
 *   | FollowMessage
 *   | LensMessage
 *   | ViewMessage
 *   | StepMessage
 *   | ScenarioMessage
 *   | LinkMessage
 *   | BaselineMessage} ToBoard
 */

/**
 * The browser can show the board.
 *
 * `link` is the code in its address; `saved`, `steps` and `file` are the session, the
 * steps of undo and the file of the model that its tab kept. `again` says whether the
 * page was reloaded or returned to, `unsent` whether an action was still to be sent when the
 * page ended.
 * @typedef {object} ReadyMessage
 * @property {"ready"} type
 * @property {string | null} [link]
 * @property {Uint8Array | string | null} [saved]
 * @property {Uint8Array | string | null} [steps]
 * @property {Uint8Array | string | null} [file]
 * @property {boolean} [again]
 * @property {boolean} [unsent]
 */

/**
 * A frame was painted.
 * @typedef {object} AckMessage
 * @property {"ack"} type
 * @property {number} seq
 */

/**
 * Which matrices are on or near the screen.
 * @typedef {object} VisibleMessage
 * @property {"visible"} type
 * @property {number[]} indices
 * @property {number} version
 */

/**
 * A cell was slid or typed; `ack` is the frame that was painted last.
 *
 * All changes of one cell with the same `press` are one step of undo. While the number is
 * `held`, the sentence that the model writes waits for a `ReleaseMessage`.
 * @typedef {object} SetMessage
 * @property {"set"} type
 * @property {string} path
 * @property {number} i
 * @property {number} j
 * @property {number} value
 * @property {string} [of]
 * @property {number} [ack]
 * @property {number} [press]
 * @property {boolean} [held]
 */

/**
 * A number that was held has been let go.
 * @typedef {object} ReleaseMessage
 * @property {"release"} type
 */

/**
 * A cell was selected, or none; `press` is the one that drags it, as where it is set.
 * @typedef {object} SelectMessage
 * @property {"select"} type
 * @property {string | null} path
 * @property {number} i
 * @property {number} j
 * @property {number} [press]
 * @property {string} [of]
 */

/**
 * The pointer is on a cell, or on none.
 * @typedef {object} HoverMessage
 * @property {"hover"} type
 * @property {string | null} path
 * @property {number} i
 * @property {number} j
 */

/**
 * A cell is to have its learned or computed value again; `press` as where it is set.
 * @typedef {object} RestoreMessage
 * @property {"restore"} type
 * @property {string} path
 * @property {number} i
 * @property {number} j
 * @property {string} [of]
 * @property {number} [press]
 */

/**
 * A part is to be silenced; `to` None releases it. Row and column None are all of them.
 * @typedef {object} SilenceMessage
 * @property {"silence"} type
 * @property {string} path
 * @property {number | null} [row]
 * @property {number | null} [column]
 * @property {"zero" | "mean" | null} [to]
 * @property {string} [of]
 */

/**
 * The oscillation of the selected cell is to begin, to change or to stop.
 * @typedef {object} OscillateMessage
 * @property {"oscillate"} type
 * @property {boolean} on
 * @property {number | null} [amplitude]
 * @property {number | null} [period]
 */

/**
 * Another attention is to be shown large.
 * @typedef {object} FocusMessage
 * @property {"focus"} type
 * @property {string} scope
 * @property {number} head
 * @property {boolean} [is_of_any]
 */

/**
 * Another pair is to be shown in detail.
 * @typedef {object} PairMessage
 * @property {"pair"} type
 * @property {string} scope
 * @property {number} head
 * @property {number} query
 * @property {number} key
 * @property {string} [of]
 */

/**
 * In a head, or in every head of the attention, the query is to look only at the key.
 * @typedef {object} LookOnlyMessage
 * @property {"look_only"} type
 * @property {string} scope
 * @property {number} head
 * @property {number} query
 * @property {number} key
 * @property {boolean} everywhere
 * @property {string} [of]
 */

/**
 * A pair's link is pulled until it has this attention weight.
 * @typedef {object} PullMessage
 * @property {"pull"} type
 * @property {string} scope
 * @property {number} head
 * @property {number} query
 * @property {number} key
 * @property {number} value
 * @property {string} [of]
 */

/**
 * The window on a large matrix is to begin at this row and column.
 * @typedef {object} WindowMessage
 * @property {"window"} type
 * @property {string} path
 * @property {number} row
 * @property {number} column
 */

/**
 * Another layer or head of a large model is to be drawn.
 * @typedef {object} ChooseMessage
 * @property {"choose"} type
 * @property {string} name
 * @property {number} number
 */

/**
 * A field of the reader's `PageLocation` has changed, or a `view` is opened by its name.
 * @typedef {object} PlaceMessage
 * @property {"place"} type
 * @property {"view" | "form" | "drawer" | "camera" | "followed" | "unfolded"} name
 * @property {string | boolean | (string | number)[] | null} value
 */

/**
 * A setting of the model that stands in a stage is to have another value.
 * @typedef {object} SettingMessage
 * @property {"setting"} type
 * @property {string} name
 * @property {unknown} value
 */

/**
 * The cells are to show values, or the gradients that run back from the loss.
 * @typedef {object} PlaneMessage
 * @property {"plane"} type
 * @property {"value" | "gradient"} value
 */

/**
 * Go to a stage or a matrix that is not drawn now.
 * @typedef {object} GotoMessage
 * @property {"goto"} type
 * @property {string} place
 */

/**
 * Asks for the link of what is on the page, which a `LinkMessage` answers.
 * @typedef {object} AskLinkMessage
 * @property {"link"} type
 */

/**
 * The tab could not keep the session.
 * @typedef {object} UnkeptMessage
 * @property {"unkept"} type
 */

/**
 * Undo one step.
 * @typedef {object} UndoMessage
 * @property {"undo"} type
 */

/**
 * Redo one step.
 * @typedef {object} RedoMessage
 * @property {"redo"} type
 */

/**
 * Train the model, which starts from random numbers.
 * @typedef {object} TrainMessage
 * @property {"train"} type
 */

/**
 * The reader lets go of what is in focus.
 * @typedef {object} EscapeMessage
 * @property {"escape"} type
 */

/**
 * @typedef {ReadyMessage
 *   | AckMessage
 *   | VisibleMessage
 *   | SetMessage
 *   | ReleaseMessage
 *   | SelectMessage
 *   | HoverMessage
 *   | RestoreMessage
 *   | SilenceMessage
 *   | OscillateMessage
 *   | FocusMessage
 *   | PairMessage
 *   | LookOnlyMessage
 *   | PullMessage
 *   | WindowMessage
 *   | ChooseMessage
 *   | PlaceMessage
 *   | SettingMessage
 *   | PlaneMessage
 *   | GotoMessage
 *   | AskLinkMessage
 *   | UnkeptMessage
 *   | UndoMessage
 *   | RedoMessage
 *   | TrainMessage
 *   | EscapeMessage} FromBoard
 */
