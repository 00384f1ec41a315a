/**
 * The messages between the board and its Python half, written from `messages.py` by
 * `python -m tests.js.message_types`.
 */

/**
 * A new structure; its JSON is sent as text, which is cheaper than nested objects.
 * @typedef {object} ManifestMessage
 * @property {"manifest"} type
 * @property {string} json
 */

/**
 * Matrices that changed; the bytes are those of `wire.pack`.
 *
 * The browser's numbers of the matrices in `stale` may be out of date: these matrices are off
 * screen, and are sent later.
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
 * Draws another part of a matrix in place of `before`; `json` has its changed fields.
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
 * The selected cell, or the cell under the pointer, and its operands.
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
 * The followed word; `back` is the word to follow again when the selection ends.
 * @typedef {object} FollowMessage
 * @property {"follow"} type
 * @property {[string, number] | null} word
 * @property {[string, number] | null} back
 */

/**
 * The words that the output would read from rows: path -> a word for each row, as text.
 * @typedef {object} LensMessage
 * @property {"lens"} type
 * @property {string} json
 */

/**
 * New settings for drawing numbers.
 * @typedef {object} ViewMessage
 * @property {"blue-red" | "safe"} palette
 * @property {"fixed" | "matrix"} scale
 * @property {"scientific" | "decimal"} numbers
 * @property {"value" | "gradient" | "change" | "patch"} plane
 * @property {boolean} all_numbers
 * @property {"view"} type
 */

/**
 * The changes in the next frames belong to a new step of the user, or to undo or redo.
 *
 * `fresh`: a lesson begins or ends with this step, so that it is not shown as a change.
 * `bytes`: the values before the step, for a browser that has not shown them.
 * @typedef {object} StepMessage
 * @property {"step"} type
 * @property {boolean} fresh
 * @property {ArrayBuffer | null} bytes
 */

/**
 * The session as JSON, which the tab stores, with its undo steps and its version.
 *
 * `file` is the model file of the session as JSON, empty without one; None if the tab has it.
 * @typedef {object} ScenarioMessage
 * @property {"scenario"} type
 * @property {string} scenario
 * @property {string} steps
 * @property {string | null} file
 * @property {number} version
 */

/**
 * The code of the requested link; None if it would be too long.
 * @typedef {object} LinkMessage
 * @property {"link"} type
 * @property {string | null} code
 */

/**
 * The pinned values of matrices; without bytes nothing is pinned.
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
 * `link` is the code in the address; `saved`, `steps` and `file` are the session, its undo
 * steps and its model file, which the tab stored. `again`: whether the page was reloaded or
 * returned to; `unsent`: whether an action was not yet sent when the page closed.
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
 * The indices of the matrices on or near the screen.
 * @typedef {object} VisibleMessage
 * @property {"visible"} type
 * @property {number[]} indices
 * @property {number} version
 */

/**
 * A cell was set by a slider or by typing; `ack` is the frame that was painted last.
 *
 * All changes of one cell with the same `press` are one undo step. While the number is `held`,
 * the model does not write its sentence again; it does so after a `ReleaseMessage`.
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
 * A held number was released.
 * @typedef {object} ReleaseMessage
 * @property {"release"} type
 */

/**
 * A cell was selected, or none; `press` is the press of its drag, as in `SetMessage`.
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
 * A request to restore a cell's learned or computed value; `press` as in `SetMessage`.
 * @typedef {object} RestoreMessage
 * @property {"restore"} type
 * @property {string} path
 * @property {number} i
 * @property {number} j
 * @property {string} [of]
 * @property {number} [press]
 */

/**
 * A request to silence a part; `to` None releases it. A row or column None means all.
 * @typedef {object} SilenceMessage
 * @property {"silence"} type
 * @property {string} path
 * @property {number | null} [row]
 * @property {number | null} [column]
 * @property {"zero" | "mean" | null} [to]
 * @property {string} [of]
 */

/**
 * A request to start, change or stop the oscillation of the selected cell.
 * @typedef {object} OscillateMessage
 * @property {"oscillate"} type
 * @property {boolean} on
 * @property {number | null} [amplitude]
 * @property {number | null} [period]
 */

/**
 * A request to enlarge a head of an attention.
 * @typedef {object} FocusMessage
 * @property {"focus"} type
 * @property {string} scope
 * @property {number} head
 * @property {boolean} [is_of_any]
 */

/**
 * A request to show a pair in detail.
 * @typedef {object} PairMessage
 * @property {"pair"} type
 * @property {string} scope
 * @property {number} head
 * @property {number} query
 * @property {number} key
 * @property {string} [of]
 */

/**
 * A request to let a query look only at a key, in one head or in all heads of an attention.
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
 * A request to pull a pair's link to an attention weight.
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
 * A request to move the window on a large matrix to a first row and column.
 * @typedef {object} WindowMessage
 * @property {"window"} type
 * @property {string} path
 * @property {number} row
 * @property {number} column
 */

/**
 * A request to draw a layer or head of a large model.
 * @typedef {object} ChooseMessage
 * @property {"choose"} type
 * @property {string} name
 * @property {number} number
 */

/**
 * A field of the user's `PageLocation` has changed, or a `view` is opened by its name.
 * @typedef {object} PlaceMessage
 * @property {"place"} type
 * @property {"view" | "form" | "drawer" | "camera" | "followed" | "unfolded"} name
 * @property {string | boolean | (string | number)[] | null} value
 */

/**
 * A request to change a setting of the model whose control is part of a stage.
 * @typedef {object} SettingMessage
 * @property {"setting"} type
 * @property {string} name
 * @property {unknown} value
 */

/**
 * A request to show values, or the gradients of the loss.
 * @typedef {object} PlaneMessage
 * @property {"plane"} type
 * @property {"value" | "gradient"} value
 */

/**
 * A request to go to a stage or a matrix that is not drawn.
 * @typedef {object} GotoMessage
 * @property {"goto"} type
 * @property {string} place
 */

/**
 * A request for the link of the page, answered by a `LinkMessage`.
 * @typedef {object} AskLinkMessage
 * @property {"link"} type
 */

/**
 * The tab could not keep the session.
 * @typedef {object} UnkeptMessage
 * @property {"unkept"} type
 */

/**
 * A request to undo one step.
 * @typedef {object} UndoMessage
 * @property {"undo"} type
 */

/**
 * A request to redo one step.
 * @typedef {object} RedoMessage
 * @property {"redo"} type
 */

/**
 * Show how the last edit changed each number.
 * @typedef {object} ChangesMessage
 * @property {"changes"} type
 */

/**
 * A request to train the model, which starts from random numbers.
 * @typedef {object} TrainMessage
 * @property {"train"} type
 */

/**
 * A request to clear the focus.
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
 *   | ChangesMessage
 *   | TrainMessage
 *   | EscapeMessage} FromBoard
 */
