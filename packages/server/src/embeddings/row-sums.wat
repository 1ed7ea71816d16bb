;; Adds rows of int8 numbers, each times its row's scale, to float32 sums: out += row(list[i]) * scale(list[i]), in the order of the list.
;;
;; Rows lie one after the other, `dims` bytes each, a multiple of 16. Sixteen columns are added at a time, so that their sums
;; stay in registers while the list is walked.
(module
  (import "env" "memory" (memory 1))
  (func (export "add")
    (param $rows i32) (param $scales i32) (param $list i32) (param $count i32) (param $dims i32) (param $out i32)
    (local $column i32) (local $at i32) (local $end i32) (local $row i32) (local $number i32)
    (local $scale v128) (local $wide v128) (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (if (i32.eqz (local.get $count)) (then (return)))
    (local.set $end (i32.add (local.get $list) (i32.shl (local.get $count) (i32.const 2))))
    (loop $each16
      (local.set $a (v128.load offset=0 (local.get $out)))
      (local.set $b (v128.load offset=16 (local.get $out)))
      (local.set $c (v128.load offset=32 (local.get $out)))
      (local.set $d (v128.load offset=48 (local.get $out)))
      (local.set $at (local.get $list))
      (loop $eachRow
        (local.set $number (i32.load (local.get $at)))
        (local.set $scale (v128.load32_splat
          (i32.add (local.get $scales) (i32.shl (local.get $number) (i32.const 2)))))
        (local.set $row (i32.add (local.get $column)
          (i32.add (local.get $rows) (i32.mul (local.get $number) (local.get $dims)))))
        (local.set $wide (v128.load8x8_s offset=0 (local.get $row)))
        (local.set $a (f32x4.add (local.get $a) (f32x4.mul (local.get $scale)
          (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $wide))))))
        (local.set $b (f32x4.add (local.get $b) (f32x4.mul (local.get $scale)
          (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $wide))))))
        (local.set $wide (v128.load8x8_s offset=8 (local.get $row)))
        (local.set $c (f32x4.add (local.get $c) (f32x4.mul (local.get $scale)
          (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $wide))))))
        (local.set $d (f32x4.add (local.get $d) (f32x4.mul (local.get $scale)
          (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $wide))))))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (br_if $eachRow (i32.lt_u (local.get $at) (local.get $end))))
      (v128.store offset=0 (local.get $out) (local.get $a))
      (v128.store offset=16 (local.get $out) (local.get $b))
      (v128.store offset=32 (local.get $out) (local.get $c))
      (v128.store offset=48 (local.get $out) (local.get $d))
      (local.set $out (i32.add (local.get $out) (i32.const 64)))
      (local.set $column (i32.add (local.get $column) (i32.const 16)))
      (br_if $each16 (i32.lt_u (local.get $column) (local.get $dims))))))
