  ! A Fortran text as C reads it: letter by letter without the blanks at its end, and a null.
  pure function cardo_c_text(text) result(c)
    character(len=*), intent(in) :: text
    character(kind=c_char) :: c(len_trim(text) + 1)
    integer :: k
    do k = 1, size(c) - 1
      c(k) = text(k:k)
    end do
    c(size(c)) = c_null_char
  end function cardo_c_text

  ! A text of C's, copied; empty where there is none.
  function cardo_text(c) result(text)
    type(c_ptr), intent(in), value :: c
    character(len=:), allocatable :: text
    character(kind=c_char), pointer :: letter(:)
    integer(c_size_t) :: length, k
    length = 0
    if (c_associated(c)) length = c_length(c)
    allocate (character(len=length) :: text)
    if (length == 0) return
    call c_f_pointer(c, letter, [length])
    do k = 1, length
      text(k:k) = letter(k)
    end do
  end function cardo_text

  ! What a failure says.
  function cardo_message(error) result(text)
    type(cardo_error), intent(in) :: error
    character(len=:), allocatable :: text
    integer :: k, length
    length = 0
    do while (length < CARDO_ERROR_MESSAGE_SIZE)
      if (error%message(length + 1) == c_null_char) exit
      length = length + 1
    end do
    allocate (character(len=length) :: text)
    do k = 1, length
      text(k:k) = error%message(k)
    end do
  end function cardo_message

  ! A view, without a copy, of numbers that the library lends: x => cardo_numbers(cardo_state_q(state), n). Not associated where it lends none.
  function cardo_numbers(lent, n) result(numbers)
    type(c_ptr), intent(in), value :: lent
    integer, intent(in) :: n
    real(c_double), pointer :: numbers(:)
    nullify (numbers)
    if (c_associated(lent)) call c_f_pointer(lent, numbers, [n])
  end function cardo_numbers
