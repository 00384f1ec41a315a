;; NumPy's inner loop of matmul for float32, with SIMD: NumPy in the browser has no BLAS.
;;
;; It has the signature of a generalized ufunc's loop, (m,n),(n,p)->(m,p), with 32-bit pointers:
;;   args        a, b, out
;;   dimensions  the number of products, m, n, p
;;   steps       between products, of a, b and out; then a's m and n, b's n and p, out's m and p
;; A tile of 4 rows by 8 columns of out is held in eight vectors during the loop over n. Rows of a
;; are read in place, through four pointers; pointers below the last row point to the last row, so
;; that its values are written repeatedly. Columns of b must be contiguous and a multiple of eight;
;; otherwise b is first copied to the scratch memory and padded with zeros.
;; Small products, and those that do not fit into the scratch memory, are left to NumPy's own loop.
(module
  (type $loop (func (param i32 i32 i32 i32)))
  (import "numpy" "memory" (memory 1))
  (import "numpy" "table" (table 1 funcref))
  (import "numpy" "original" (global $original i32)) ;; table index of NumPy's own loop
  (import "numpy" "scratch" (global $scratch i32))   ;; 128 bytes for a tile, then b
  (import "numpy" "room" (global $room i32))         ;; bytes for b

  ;; Computes one tile, out = a · b, and stores it in four blocks of 32 bytes.
  (func $tile
    (param $a0 i32) (param $a1 i32) (param $a2 i32) (param $a3 i32) (param $an i32)
    (param $b i32) (param $bn i32) (param $n i32)
    (param $o0 i32) (param $o1 i32) (param $o2 i32) (param $o3 i32)
    (local $l0 v128) (local $r0 v128) (local $l1 v128) (local $r1 v128)
    (local $l2 v128) (local $r2 v128) (local $l3 v128) (local $r3 v128)
    (local $left v128) (local $right v128) (local $x v128)
    (loop $next
      (local.set $left (v128.load (local.get $b)))
      (local.set $right (v128.load offset=16 (local.get $b)))
      (local.set $x (v128.load32_splat (local.get $a0)))
      (local.set $l0 (f32x4.add (local.get $l0) (f32x4.mul (local.get $x) (local.get $left))))
      (local.set $r0 (f32x4.add (local.get $r0) (f32x4.mul (local.get $x) (local.get $right))))
      (local.set $x (v128.load32_splat (local.get $a1)))
      (local.set $l1 (f32x4.add (local.get $l1) (f32x4.mul (local.get $x) (local.get $left))))
      (local.set $r1 (f32x4.add (local.get $r1) (f32x4.mul (local.get $x) (local.get $right))))
      (local.set $x (v128.load32_splat (local.get $a2)))
      (local.set $l2 (f32x4.add (local.get $l2) (f32x4.mul (local.get $x) (local.get $left))))
      (local.set $r2 (f32x4.add (local.get $r2) (f32x4.mul (local.get $x) (local.get $right))))
      (local.set $x (v128.load32_splat (local.get $a3)))
      (local.set $l3 (f32x4.add (local.get $l3) (f32x4.mul (local.get $x) (local.get $left))))
      (local.set $r3 (f32x4.add (local.get $r3) (f32x4.mul (local.get $x) (local.get $right))))
      (local.set $a0 (i32.add (local.get $a0) (local.get $an)))
      (local.set $a1 (i32.add (local.get $a1) (local.get $an)))
      (local.set $a2 (i32.add (local.get $a2) (local.get $an)))
      (local.set $a3 (i32.add (local.get $a3) (local.get $an)))
      (local.set $b (i32.add (local.get $b) (local.get $bn)))
      (br_if $next (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
    (v128.store (local.get $o0) (local.get $l0))
    (v128.store offset=16 (local.get $o0) (local.get $r0))
    (v128.store (local.get $o1) (local.get $l1))
    (v128.store offset=16 (local.get $o1) (local.get $r1))
    (v128.store (local.get $o2) (local.get $l2))
    (v128.store offset=16 (local.get $o2) (local.get $r2))
    (v128.store (local.get $o3) (local.get $l3))
    (v128.store offset=16 (local.get $o3) (local.get $r3)))

  ;; Copies b row by row, $width bytes each, with zeros after its p columns.
  (func $pack
    (param $b i32) (param $n i32) (param $p i32) (param $bn i32) (param $bp i32) (param $width i32)
    (local $to i32) (local $from i32) (local $end i32) (local $row_end i32)
    (local.set $to (i32.add (global.get $scratch) (i32.const 128)))
    (loop $row
      (local.set $from (local.get $b))
      (local.set $end (i32.add (local.get $to) (i32.shl (local.get $p) (i32.const 2))))
      (local.set $row_end (i32.add (local.get $to) (local.get $width)))
      (loop $cell
        (f32.store (local.get $to) (f32.load (local.get $from)))
        (local.set $from (i32.add (local.get $from) (local.get $bp)))
        (br_if $cell
          (i32.lt_u (local.tee $to (i32.add (local.get $to) (i32.const 4))) (local.get $end))))
      (block $full
        (loop $zero
          (br_if $full (i32.eq (local.get $to) (local.get $row_end)))
          (f32.store (local.get $to) (f32.const 0))
          (local.set $to (i32.add (local.get $to) (i32.const 4)))
          (br $zero)))
      (local.set $b (i32.add (local.get $b) (local.get $bn)))
      (br_if $row (local.tee $n (i32.sub (local.get $n) (i32.const 1))))))

  ;; Copies one row of a tile out of the scratch memory: $count numbers, $op bytes apart.
  (func $spread (param $from i32) (param $to i32) (param $count i32) (param $op i32)
    (loop $cell
      (f32.store (local.get $to) (f32.load (local.get $from)))
      (local.set $from (i32.add (local.get $from) (i32.const 4)))
      (local.set $to (i32.add (local.get $to) (local.get $op)))
      (br_if $cell (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))

  ;; The address of a row; beyond the last row, that of the last one.
  (func $row (param $first i32) (param $at i32) (param $m i32) (param $step i32) (result i32)
    (i32.add
      (local.get $first)
      (i32.mul
        (local.get $step)
        (select
          (local.get $at)
          (i32.sub (local.get $m) (i32.const 1))
          (i32.lt_s (local.get $at) (local.get $m))))))

  ;; One product; b's rows are $bn bytes apart, its columns contiguous and a multiple of eight.
  (func $product
    (param $a i32) (param $b i32) (param $o i32) (param $m i32) (param $n i32) (param $p i32)
    (param $am i32) (param $an i32) (param $bn i32) (param $om i32) (param $op i32)
    (local $i i32) (local $j i32) (local $columns i32) (local $panel i32) (local $t i32)
    (local $a0 i32) (local $a1 i32) (local $a2 i32) (local $a3 i32)
    (local $o0 i32) (local $o1 i32) (local $o2 i32) (local $o3 i32)
    (local.set $t (global.get $scratch))
    (loop $rows
      (local.set $a0 (call $row (local.get $a) (local.get $i) (local.get $m) (local.get $am)))
      (local.set $o0 (call $row (local.get $o) (local.get $i) (local.get $m) (local.get $om)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (local.set $a1 (call $row (local.get $a) (local.get $i) (local.get $m) (local.get $am)))
      (local.set $o1 (call $row (local.get $o) (local.get $i) (local.get $m) (local.get $om)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (local.set $a2 (call $row (local.get $a) (local.get $i) (local.get $m) (local.get $am)))
      (local.set $o2 (call $row (local.get $o) (local.get $i) (local.get $m) (local.get $om)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (local.set $a3 (call $row (local.get $a) (local.get $i) (local.get $m) (local.get $am)))
      (local.set $o3 (call $row (local.get $o) (local.get $i) (local.get $m) (local.get $om)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (local.set $j (i32.const 0))
      (local.set $panel (local.get $b))
      (loop $panels
        (local.set $columns (i32.sub (local.get $p) (local.get $j)))
        (if (i32.and
              (i32.ge_s (local.get $columns) (i32.const 8))
              (i32.eq (local.get $op) (i32.const 4)))
          (then
            (call $tile
              (local.get $a0) (local.get $a1) (local.get $a2) (local.get $a3) (local.get $an)
              (local.get $panel) (local.get $bn) (local.get $n)
              (local.get $o0) (local.get $o1) (local.get $o2) (local.get $o3)))
          (else
            (if (i32.gt_s (local.get $columns) (i32.const 8))
              (then (local.set $columns (i32.const 8))))
            (call $tile
              (local.get $a0) (local.get $a1) (local.get $a2) (local.get $a3) (local.get $an)
              (local.get $panel) (local.get $bn) (local.get $n)
              (local.get $t)
              (i32.add (local.get $t) (i32.const 32))
              (i32.add (local.get $t) (i32.const 64))
              (i32.add (local.get $t) (i32.const 96)))
            (call $spread
              (local.get $t) (local.get $o0) (local.get $columns) (local.get $op))
            (call $spread
              (i32.add (local.get $t) (i32.const 32))
              (local.get $o1) (local.get $columns) (local.get $op))
            (call $spread
              (i32.add (local.get $t) (i32.const 64))
              (local.get $o2) (local.get $columns) (local.get $op))
            (call $spread
              (i32.add (local.get $t) (i32.const 96))
              (local.get $o3) (local.get $columns) (local.get $op))))
        (local.set $panel (i32.add (local.get $panel) (i32.const 32)))
        (local.set $o0 (i32.add (local.get $o0) (i32.shl (local.get $op) (i32.const 3))))
        (local.set $o1 (i32.add (local.get $o1) (i32.shl (local.get $op) (i32.const 3))))
        (local.set $o2 (i32.add (local.get $o2) (i32.shl (local.get $op) (i32.const 3))))
        (local.set $o3 (i32.add (local.get $o3) (i32.shl (local.get $op) (i32.const 3))))
        (br_if $panels
          (i32.lt_s
            (local.tee $j (i32.add (local.get $j) (i32.const 8)))
            (local.get $p))))
      (br_if $rows (i32.lt_s (local.get $i) (local.get $m)))))

  ;; Whether NumPy's own loop is faster, or the only possibility.
  (func $is_left (param $m i32) (param $n i32) (param $p i32) (param $packed f64) (result i32)
    (i32.or
      (i32.or
        (f64.lt
          (f64.mul
            (f64.mul (f64.convert_i32_s (local.get $m)) (f64.convert_i32_s (local.get $n)))
            (f64.convert_i32_s (local.get $p)))
          (f64.const 512))
        (i32.lt_s (local.get $p) (i32.const 3)))
      (f64.gt (local.get $packed) (f64.convert_i32_s (global.get $room)))))

  (func (export "matmul")
    (param $args i32) (param $dimensions i32) (param $steps i32) (param $data i32)
    (local $count i32) (local $m i32) (local $n i32) (local $p i32)
    (local $a i32) (local $b i32) (local $o i32) (local $bn i32) (local $bp i32)
    (local $is_packed i32) (local $width i32) (local $from i32) (local $b_step i32)
    (local.set $count (i32.load (local.get $dimensions)))
    (local.set $m (i32.load offset=4 (local.get $dimensions)))
    (local.set $n (i32.load offset=8 (local.get $dimensions)))
    (local.set $p (i32.load offset=12 (local.get $dimensions)))
    (local.set $bn (i32.load offset=20 (local.get $steps)))
    (local.set $bp (i32.load offset=24 (local.get $steps)))
    ;; Pack b if its columns are not contiguous or not a multiple of eight.
    (local.set $is_packed
      (i32.or
        (i32.ne (local.get $bp) (i32.const 4))
        (i32.ne (i32.and (local.get $p) (i32.const 7)) (i32.const 0))))
    (local.set $width
      (i32.shl (i32.and (i32.add (local.get $p) (i32.const 7)) (i32.const -8)) (i32.const 2)))
    (if (call $is_left
          (local.get $m) (local.get $n) (local.get $p)
          (select
            (f64.mul (f64.convert_i32_s (local.get $n)) (f64.convert_i32_s (local.get $width)))
            (f64.const 0)
            (local.get $is_packed)))
      (then
        (call_indirect (type $loop)
          (local.get $args) (local.get $dimensions) (local.get $steps) (local.get $data)
          (global.get $original))
        (return)))
    (local.set $a (i32.load (local.get $args)))
    (local.set $b (i32.load offset=4 (local.get $args)))
    (local.set $o (i32.load offset=8 (local.get $args)))
    (local.set $b_step (i32.load offset=4 (local.get $steps)))
    (block $done
      (loop $products
        (br_if $done (i32.eqz (local.get $count)))
        (if (local.get $is_packed)
          (then
            ;; A b that is shared by all products is copied only once.
            (if (i32.ne (local.get $from) (local.get $b))
              (then
                (call $pack
                  (local.get $b) (local.get $n) (local.get $p) (local.get $bn) (local.get $bp)
                  (local.get $width))
                (local.set $from (local.get $b))))))
        (call $product
          (local.get $a)
          (select
            (i32.add (global.get $scratch) (i32.const 128))
            (local.get $b)
            (local.get $is_packed))
          (local.get $o)
          (local.get $m) (local.get $n) (local.get $p)
          (i32.load offset=12 (local.get $steps)) (i32.load offset=16 (local.get $steps))
          (select (local.get $width) (local.get $bn) (local.get $is_packed))
          (i32.load offset=28 (local.get $steps)) (i32.load offset=32 (local.get $steps)))
        (local.set $a (i32.add (local.get $a) (i32.load (local.get $steps))))
        (local.set $b (i32.add (local.get $b) (local.get $b_step)))
        (local.set $o (i32.add (local.get $o) (i32.load offset=8 (local.get $steps))))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $products)))))
